"""Long work in slices: the window lives on, shows how far it is, and can stop it.

Whatever lasts is asked for by calling the function that does it. Where that comes to a long computation it calls
`computed`. For scripts, in background, before saving and rendering that computes at once. In a job it computes for a
moment; if that is too short, `Paused` leaves the function as an error would, with nothing changed. The computation
goes on in slices, and when it is done the function is called again and finds the result: so nothing of Blender's is
held from one slice to the next, and whatever was changed, undone, deleted or loaded meanwhile is looked at anew.

A computation knows none of Blender's data. It has a thread of its own, which runs only while the main thread waits.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from threading import Semaphore, Thread, current_thread, main_thread
from typing import TypeVar

import bpy

from ...core.errors import VerbsError

T = TypeVar("T")
Tell = Callable[..., None]
Result = tuple[object, BaseException | None]

AT_ONCE = 0.25
"""Seconds after which something is said to last."""
SLICE = 0.04
TICK = 0.005
RENDERING = 0.25


class Paused(Exception):
    """What was asked for goes on in slices; whoever asked for it is called again."""


class _Stopped(BaseException):
    """The computation is not wanted any more."""


class _Worker:
    """A computation in a thread that runs only while somebody waits for it in `go_on`."""

    def __init__(self, key: Hashable, compute: Callable[[Tell], object]) -> None:
        self.key, self.fraction, self.result = key, 0.0, (None, None)
        self._compute, self._until, self._stopped, self._ended = compute, 0.0, False, False
        self._may_run, self._rests = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, name="verbs_adverbs", daemon=True)

    def go_on(self, seconds: float) -> bool:
        """Compute for so long; returns whether it has ended."""
        if self._ended:
            return True
        self._until = time.monotonic() + seconds
        self._may_run.release()
        if not self._thread.is_alive():
            self._thread.start()
        self._rests.acquire()
        return self._ended

    def stop(self) -> None:
        """Let it end now."""
        self._stopped = True
        if self._thread.is_alive():
            self.go_on(0.0)

    def _run(self) -> None:
        self._may_run.acquire()
        try:
            self.result = self._compute(self._tell), None
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
            self.result = None, error
        self._ended = True
        self._rests.release()

    def _tell(self, fraction: float, _text: str = "") -> None:
        self.fraction = fraction
        if time.monotonic() >= self._until and not self._stopped:
            self._rests.release()
            self._may_run.acquire()
        if self._stopped:
            raise _Stopped


class Job:
    """Something that lasts.

    Parameters
    ----------
    kind : a job takes the place of the one before; of the same kind it goes on with what that was computing.
    title : what is done, to be shown.
    again : does it; called until nothing in it is left to be computed.
    on_stop : called when the user stops it.
    """

    def __init__(
        self, kind: str, title: str, again: Callable[[], None], on_stop: Callable[[], None] | None = None
    ) -> None:
        self.kind, self.title, self._again, self._on_stop = kind, title, again, on_stop
        self._known: dict[Hashable, Result] = {}
        self._worker: _Worker | None = None
        self._until, self._paused = 0.0, False

    @property
    def fraction(self) -> float:
        """How much of what is computed at the moment is done."""
        return self._worker.fraction if self._worker is not None else 0.0

    def attempt(self, seconds: float) -> bool:
        """Do it as far as it goes in some seconds; returns whether it is done."""
        global _attempted
        self._until, self._paused = time.monotonic() + seconds, False
        _attempted = self
        try:
            self._again()
        except Paused:
            self._paused = True
        finally:
            _attempted = None
        return not self._paused

    def go_on(self) -> bool:
        """Do one slice more; returns whether it is done."""
        if self._worker is not None and not self._worker.go_on(SLICE):
            return False
        return self.attempt(SLICE)

    def take_over(self, other: Job) -> None:
        """Go on with what another job was computing, if this one asks for the same."""
        self._worker, other._worker = other._worker, None

    def computed(self, key: Hashable, compute: Callable[[Tell], T], seconds: float | None = None) -> T:
        """The result of a computation; `Paused` is raised if it does not end in the time that is left."""
        if key not in self._known:
            if self._worker is None or self._worker.key != key:
                self.drop_worker()
                self._worker = _Worker(key, compute)
            if not self._worker.go_on(max(self._until - time.monotonic(), 0.0) if seconds is None else seconds):
                self._pause()
            self._known[key], self._worker = self._worker.result, None
            if seconds is None and time.monotonic() > self._until:
                self._pause()
        found, error = self._known[key]
        if error is not None:
            raise error
        return found

    def remembered(self, key: Hashable, look: Callable[[], T]) -> T:
        """What `look` returns, called once for the job; `Paused` is raised if that took longer than there was time."""
        if key not in self._known:
            self._known[key] = look(), None
            if time.monotonic() > self._until:
                self._pause()
        return self._known[key][0]

    def is_computing(self, key: Hashable) -> bool:
        """Whether that is what it computes at the moment."""
        return self._worker is not None and self._worker.key == key

    def stop(self) -> None:
        """The user wants it no more."""
        self.drop_worker()
        if self._on_stop is not None:
            self._on_stop()

    def drop_worker(self) -> None:
        """Compute no further."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def _pause(self) -> None:
        self._paused = True
        raise Paused


_job: Job | None = None
_attempted: Job | None = None


def going() -> Job | None:
    """What goes on in slices at the moment."""
    return _job


def attempted() -> Job | None:
    """The job whose function is being called at this moment, None otherwise: then nothing may pause."""
    return _attempted if current_thread() is main_thread() else None


def computed(key: Hashable, compute: Callable[[Tell], T]) -> T:
    """The result of a long computation that looks at none of Blender's data.

    Parameters
    ----------
    key : tells this computation from all others in a job.
    compute : takes `progress`, to be called with the fraction that is done, and does not swallow what that raises.

    Raises
    ------
    Paused
        In a job, if it takes too long to wait for.
    """
    job = attempted()
    if job is not None:
        return job.computed(key, compute)
    if current_thread() is not main_thread():
        return compute(lambda *_told: None)
    with _Cursor() as cursor:
        if _job is not None and _job.is_computing(key):
            return _job.computed(key, compute, float("inf"))
        return compute(cursor.tell)


def remembered(key: Hashable, look: Callable[[], T]) -> T:
    """What `look` returns; it may use Blender's data, and in a job it is called once for each key.

    Raises
    ------
    Paused
        In a job, if there is no time left after that.
    """
    job = attempted()
    return look() if job is None else job.remembered(key, look)


def do(kind: str, title: str, again: Callable[[], None], on_stop: Callable[[], None] | None = None) -> bool:
    """Do something that may last, and return whether it is done; else it goes on in slices. In background it is done.

    Parameters
    ----------
    kind, title, again, on_stop : those of a `Job`.
    """
    global _job
    if bpy.app.background:
        again()
        return True
    job, before = Job(kind, title, again, on_stop), _job
    if before is not None and before.kind == kind:
        job.take_over(before)
    drop()
    try:
        done = job.attempt(AT_ONCE)
    except BaseException:
        job.drop_worker()
        raise
    if not done:
        _job = job
        if not bpy.app.timers.is_registered(_step):
            bpy.app.timers.register(_step, first_interval=TICK)
        show()
    return done


def look_again(kind: str) -> None:
    """Something has changed: if that matters to what goes on, and is of this kind, it begins anew."""
    job = _job
    if job is not None and job.kind == kind and job.attempt(SLICE):
        drop()


def stop() -> None:
    """Stop what goes on because the user says so."""
    job = _job
    if job is not None:
        job.stop()
        drop()


def drop(kind: str = "") -> None:
    """Forget what goes on, of one kind or whatever it is; nothing has changed."""
    global _job
    job = _job
    if job is not None and kind in ("", job.kind):
        _job = None
        job.drop_worker()
        show()


def _step() -> float | None:
    """Timer: one slice; None when nothing goes on any more."""
    job = _job
    if job is None:
        return None
    if bpy.app.is_job_running("RENDER"):
        return RENDERING
    try:
        done = job.go_on()
    except VerbsError:
        done = True
    except BaseException:
        drop()
        raise
    if _job is job and done:
        drop()
    show()
    return TICK if _job is not None else None


def show() -> None:
    """Tell how far it is in the status bar and the sidebars."""
    text = f"{_job.title}: {100.0 * _job.fraction:.0f} %     Esc: stop" if _job is not None else None
    for window in bpy.context.window_manager.windows:
        window.workspace.status_text_set(text)
        for area in window.screen.areas:
            for region in area.regions if area.type in {"VIEW_3D", "DOPESHEET_EDITOR"} else ():
                if region.type == "UI":
                    region.tag_redraw()


class _Cursor:
    """Shows at the mouse how far it is, of what is computed at once and lasts."""

    def __enter__(self) -> _Cursor:
        self._began, self._shown = time.monotonic(), False
        return self

    def tell(self, fraction: float, _text: str = "") -> None:
        """So much is done."""
        if not self._shown and time.monotonic() - self._began > AT_ONCE:
            self._shown = True
            bpy.context.window_manager.progress_begin(0.0, 1.0)
        if self._shown:
            bpy.context.window_manager.progress_update(fraction)

    def __exit__(self, *_error: object) -> None:
        if self._shown:
            bpy.context.window_manager.progress_end()
