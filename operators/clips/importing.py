"""File > Import > Walks as Verbs: many files of captured motion become verbs of one armature, which plays them at once.

The user chooses files, checks the size and speed of their figure, and then watches the import, which can be stopped.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import bpy
from bpy.props import CollectionProperty, EnumProperty, FloatProperty, StringProperty
from bpy.types import Context, Event, Menu, Operator, OperatorFileListElement

from ... import bridge
from ...bridge.blender import jobs
from ...core.errors import VerbsError, listed, shortened
from ..modes import ANIMATE, TAB, go_to
from ..operator_base import Intent, on_lines

if TYPE_CHECKING:
    from ...bridge.authoring.importing_walks import Imported, Steps

UPS = [
    ("GUESS", "Guessed", "The axis that points up in the first file's figure"),
    ("Y", "Y Up", "As in most BVH files"),
    ("Z", "Z Up", "As in Blender"),
    ("X", "X Up", "In few files"),
    ("-Y", "-Y Up", "Y points down"),
    ("-Z", "-Z Up", "Z points down"),
    ("-X", "-X Up", "X points down"),
]
GUESS = "GUESS"
WIDTH = 380
PATIENCE, TRIES = 0.1, 20
"""Seconds between attempts to choose the tab, which cannot be chosen before it is drawn; and number of attempts."""


class OfWalks(Intent):
    """Mixin of an operator that is given files of walks."""

    directory: StringProperty(
        name="Folder", description="Folder of the files", subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"}
    )
    files: CollectionProperty(
        type=OperatorFileListElement,
        name="Files",
        description="File names; all files in the folder if empty",
        options={"HIDDEN", "SKIP_SAVE"},
    )

    asks = True
    """Whether the operator asks something, which only works in a window."""

    @classmethod
    def reason(cls, context: Context) -> str:
        if cls.asks and bpy.app.background:
            return "This needs a window to ask in. From a script, call walks_import"
        if context.mode != "OBJECT":
            return "Go to Object Mode first: walks are imported onto an armature of their own"
        if jobs.going() is not None:
            return f"{jobs.going().title} is still running: wait until it is done, or press Esc to stop it"
        performed = bridge.session.live_characters.performance is not None
        return "End the performance first, with Esc over a 3D view" if performed else ""

    def paths(self) -> list[Path]:
        """Return the files in the order of their names.

        Raises
        ------
        VerbsError
            If there are none.
        """
        folder = Path(bpy.path.abspath(self.directory))
        found = [folder / one.name for one in self.files if one.name]
        if not found and self.directory:
            try:
                found = list(folder.iterdir())
            except OSError as error:
                raise VerbsError(f"The folder '{folder}' cannot be read: {error.strerror}.") from error
        found = sorted(one for one in found if one.suffix.lower() in bridge.authoring.clips.clip_files.ENDINGS)
        if not found:
            raise VerbsError("No BVH or FBX files were found. Choose files of walks, or a folder that contains them.")
        return found

    def asked(self) -> dict[str, object]:
        """Return the files in the form of operator properties."""
        return {"directory": self.directory, "files": [{"name": path.name} for path in self.paths()]}


class VERBS_ADVERBS_OT_walks_choose(OfWalks, Operator):
    """Choose BVH or FBX files of captured walks to turn into verbs of one armature"""

    bl_idname = "verbs_adverbs.walks_choose"
    bl_label = "Walks as Verbs"
    bl_options = {"REGISTER"}

    filter_glob: StringProperty(default="*.bvh;*.fbx", options={"HIDDEN"})

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Let the user choose files."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def do(self, _context: Context) -> str:
        """Show what is in the files."""
        bpy.ops.verbs_adverbs.walks_confirm("INVOKE_DEFAULT", **self.asked())
        return ""


class OfFigure(OfWalks):
    """Mixin of an operator with settings for reading its files."""

    scale: FloatProperty(
        name="Scale",
        description="Factor for all lengths, such as 0.01 for centimetres; 0 to guess from the figure's height",
        default=0.0,
        min=0.0,
        soft_max=100.0,
        precision=4,
        step=1,
        options={"SKIP_SAVE"},
    )
    up: EnumProperty(
        name="Up Axis",
        description="Axis that points up in BVH files; FBX files store it",
        items=UPS,
        options={"SKIP_SAVE"},
    )
    rate: FloatProperty(
        name="Frame Rate",
        description="Frames per second of BVH files that do not state a frame rate",
        default=0.0,
        min=0.0,
        soft_max=240.0,
        precision=4,
        options={"SKIP_SAVE"},
    )


class VERBS_ADVERBS_OT_walks_confirm(OfFigure, Operator):
    """Check the height and speed of the captured figure, then import"""

    bl_idname = "verbs_adverbs.walks_confirm"
    bl_label = "Walks as Verbs"
    bl_options = {"INTERNAL"}

    _figure, _count = None, 0

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Look at the first figure and at the speed of a few, and ask."""
        files = bridge.authoring.clips.clip_files
        try:
            paths = self.paths()
            self._figure = figure = files.figure_and_pace(paths, context.scene)
        except VerbsError as error:
            self.report({"ERROR"}, on_lines("ERROR", str(error)))
            return {"CANCELLED"}
        self.scale, self.up, self._count = files.UNITS[figure.unit], figure.up, len(paths)
        self.rate = 0.0 if figure.timed else figure.fps
        return context.window_manager.invoke_props_dialog(self, width=WIDTH, confirm_text="Import")

    def draw(self, _context: Context) -> None:
        """Draw what the first figure is like at the chosen scale."""
        layout, figure, count = self.layout, self._figure, self._count
        size = f"{self.scale * figure.tall:.3g} m tall, moves at up to {self.scale * figure.speed:.3g} m/s"
        odd = figure.is_odd(self.scale)
        layout.label(text=f"{count} file{'' if count == 1 else 's'}, {figure.bones} bones", icon="ARMATURE_DATA")
        if figure.timed:
            layout.label(text=f"{figure.fps:.4g} frames per second", icon="TIME")
        else:
            layout.label(text="The files do not state their frame rate", icon="ERROR")
        row = layout.row()
        row.alert = odd
        row.label(text=size, icon="ERROR" if odd else "CHECKMARK")
        if odd:
            layout.label(text="Change the scale, unless the character really is a giant or tiny.", icon="BLANK1")
        column = layout.column(align=True)
        column.use_property_split, column.use_property_decorate = True, False
        column.prop(self, "scale")
        column.prop(self, "up")
        if not figure.timed:
            column.prop(self, "rate")

    def do(self, _context: Context) -> str:
        """Begin the import."""
        told = {"scale": self.scale, "up": self.up, "rate": self.rate}
        bpy.ops.verbs_adverbs.walks_import("INVOKE_DEFAULT", **told, **self.asked())
        return ""


class VERBS_ADVERBS_OT_walks_import(OfFigure, Operator):
    """Import walks onto one armature, find their steps, measure them, and make verbs of them"""

    bl_idname = "verbs_adverbs.walks_import"
    bl_label = "Import Walks"
    asks = False

    _steps = _timer = None

    def invoke(self, context: Context, _event: Event) -> set[str]:
        """Import one file at a time, so that the window can show progress and the import can be stopped."""
        try:
            self._steps = self._begun(context)
        except VerbsError as error:
            self.report({"ERROR"}, on_lines("ERROR", str(error)))
            return {"CANCELLED"}
        manager = context.window_manager
        self._timer = manager.event_timer_add(0.01, window=context.window)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context: Context, event: Event) -> set[str]:
        """Import the next file, or stop and undo everything."""
        if event.type == "ESC" and event.value == "PRESS":
            self.cancel(context)
            self.report({"INFO"}, "Stopped: nothing was imported")
            return {"CANCELLED"}
        if event.type != "TIMER":
            return {"RUNNING_MODAL"}
        try:
            share, told = next(self._steps)  # pyright: ignore[reportArgumentType]
        except (StopIteration, VerbsError, ReferenceError) as ended:
            self._stop(context)
            return self._ended(context, ended)
        except BaseException:
            self._stop(context)
            raise
        context.workspace.status_text_set(f"{told}: {100.0 * share:.0f} %     Esc: stop")
        return {"RUNNING_MODAL"}

    def _ended(self, context: Context, ended: Exception) -> set[str]:
        """Report how the import ended, given the exception that its steps raised."""
        if isinstance(ended, StopIteration):
            self.report({"INFO"}, self._played(context, ended.value))
            _show_tab(context)
            return {"FINISHED"}
        gone = "Stopped because the imported objects were deleted: nothing was imported"
        self.report({"ERROR"}, on_lines("ERROR", str(ended)) if isinstance(ended, VerbsError) else gone)
        return {"CANCELLED"}

    def cancel(self, context: Context) -> None:
        """Undo what was imported so far; Blender calls this too."""
        try:
            if self._steps is not None:
                self._steps.close()
        finally:
            self._stop(context)

    def do(self, context: Context) -> str:
        """Import all at once."""
        steps = self._begun(context)
        while True:
            try:
                next(steps)
            except StopIteration as done:
                return self._played(context, done.value)

    def _begun(self, context: Context) -> "Steps":
        """Start the import; scale and axis are guessed from the first figure if they are not given."""
        paths, scene, scale, up = self.paths(), context.scene, self.scale, self.up
        if scale == 0.0 or up == GUESS:
            files = bridge.authoring.clips.clip_files
            figure = files.first_figure(paths, scene)
            guess = files.UNITS[figure.unit]
            if scale == 0.0 and figure.is_odd(guess):
                raise VerbsError(
                    f"In {figure.unit}, the figure would be {guess * figure.tall:.3g} m tall and move at "
                    f"{guess * figure.speed:.3g} m/s, which is unlikely. Set Scale (in scripts: scale), such as 1 for "
                    "metres, 0.01 for centimetres, 0.0564 for files from the CMU database, or 0.1 for files from "
                    "MakeHuman."
                )
            scale, up = scale or guess, figure.up if up == GUESS else up
        return bridge.authoring.importing_walks.import_walks(scene, paths, scale, up, self.rate)

    def _stop(self, context: Context) -> None:
        self._steps = None
        if self._timer is not None:
            context.window_manager.event_timer_remove(self._timer)
            context.workspace.status_text_set(None)
            self._timer = None

    def _played(self, context: Context, made: "Imported") -> str:
        """Switch the first verb on, and report the result of the import."""
        for one in context.view_layer.objects:
            one.select_set(one == made.armature)
        context.view_layer.objects.active = made.armature
        first, but = next(iter(made.verbs)), ""
        try:
            bridge.session.switching.switch_on(made.armature, first, context.scene)
        except VerbsError as error:
            made.doubtful.insert(0, str(error))
            but = f", but '{first}' does not play yet"
        go_to(context, ANIMATE)
        doubtful = shortened(tuple(dict.fromkeys(made.doubtful)), "{count} more warnings are not shown")
        for text in (*doubtful, *made.unmatched, *made.left):
            self.tell("WARNING", text)
        named = listed(
            f"'{name}' with {count} example{'' if count == 1 else 's'}" for name, count in made.verbs.items()
        )
        return f"'{made.armature.name}' has the verb{'' if len(made.verbs) == 1 else 's'} {named}{but}"


def _show_tab(context: Context) -> None:
    """Open the sidebar of the largest 3D view at the tab where the verbs are, as soon as Blender has drawn it."""
    views = [area for area in context.screen.areas if area.type == "VIEW_3D"]
    if not views:
        return
    view = max(views, key=lambda area: area.width * area.height)
    view.spaces.active.show_region_ui = True
    wanted, tries = view.as_pointer(), iter(range(TRIES))

    def choose() -> float | None:
        areas = (area for window in bpy.context.window_manager.windows for area in window.screen.areas)
        regions = (region for area in areas if area.as_pointer() == wanted for region in area.regions)
        sidebar = next((region for region in regions if region.type == "UI"), None)
        if sidebar is None:
            return None
        try:
            sidebar.active_panel_category = TAB
        except (AttributeError, TypeError):
            return PATIENCE if next(tries, None) is not None else None
        sidebar.tag_redraw()
        return None

    bpy.app.timers.register(choose, first_interval=PATIENCE)


def _draw_entry(menu: Menu, _context: Context) -> None:
    menu.layout.operator(VERBS_ADVERBS_OT_walks_choose.bl_idname, text="Walks as Verbs (.bvh, .fbx)")


CLASSES = (VERBS_ADVERBS_OT_walks_choose, VERBS_ADVERBS_OT_walks_confirm, VERBS_ADVERBS_OT_walks_import)


def register() -> None:
    """Add the entry to File > Import."""
    bpy.types.TOPBAR_MT_file_import.append(_draw_entry)  # pyright: ignore[reportArgumentType]


def unregister() -> None:
    """Remove the entry from File > Import."""
    bpy.types.TOPBAR_MT_file_import.remove(_draw_entry)  # pyright: ignore[reportArgumentType]
