"""Long computations in short slices: the window stays responsive, shows the progress, and can cancel them.

A function that may take long is run as a job by `do`. Where the function needs a long computation it calls
`computed`. Outside a job (from scripts, in background, before saving and rendering) that runs to completion at once.
Inside a job it runs for a moment. If that is not enough, it raises `Paused`, which exits the function as an exception
does, with nothing changed. A timer then continues the computation in slices. When it is done, the function is called
again from its beginning, and `computed` returns the result. So no reference to Blender's data is kept from one slice
to the next, and whatever was changed, undone, deleted or loaded in the meantime is read again.

Where the window blocks until a computation ends, its progress is shown at the mouse cursor.

A computation must not use Blender's data. It runs in a thread of its own, and only while the main thread waits.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from threading import Semaphore, Thread, current_thread, main_thread
from typing import Any, TypeVar, cast

import bpy

from ...core.errors import VerbsError
from .events import redraw_regions

T = TypeVar("T")
Tell = Callable[..., None]
Result = tuple[Any, BaseException | None]

AT_ONCE = 0.25
"""Seconds of a computation after which its progress is shown; one in a job continues in slices from then on."""
SLICE = 0.04
TICK = 0.005
RENDERING = 0.25
SHOWN_EVERY = 0.2
"""Seconds between two updates of a job's progress: drawing a window may take longer than a slice."""


class Paused(Exception):
    """Raised inside a job when a computation continues in slices; the job's function will be called again."""


class _Stopped(BaseException):
    """Raised inside a computation to end it, because its result is no longer needed."""


class _Worker:
    """A computation in a thread that runs only while a caller waits for it in `go_on`."""

    def __init__(self, key: Hashable, compute: Callable[[Tell], object]) -> None:
        self.key, self.fraction, self.result = key, 0.0, (None, None)
        self._compute, self._until, self._stopped, self._ended = compute, 0.0, False, False
        self._may_run, self._rests = Semaphore(0), Semaphore(0)
        self._thread = Thread(target=self._run, name="verbs_adverbs", daemon=True)

    def go_on(self, seconds: float) -> bool:
        """Compute for this many seconds; return whether the computation has ended."""
        if self._ended:
            return True
        self._until = time.monotonic() + seconds
        self._may_run.release()
        if not self._thread.is_alive():
            self._thread.start()
        self._rests.acquire()
        return self._ended

    def stop(self) -> None:
        """End the computation now, without a result."""
        self._stopped = True
        if self._thread.is_alive():
            self.go_on(0.0)

    def _run(self) -> None:
        self._may_run.acquire()
        try:
            with _collector_off():
                self.result = self._compute(self._tell), None
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is requested
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
    """A function that may take long and is called repeatedly until all of its computations are done.

    Parameters
    ----------
    kind : there is one job at a time. A new one of the same kind continues the computation of the one it replaces.
    title : what the job does, shown to the user.
    again : the function; called until none of its computations remains.
    on_stop : called when the user cancels the job.
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
        """Fraction of the current computation that is done, from 0 to 1."""
        return self._worker.fraction if self._worker is not None else 0.0

    def attempt(self, seconds: float) -> bool:
        """Call the function and let it compute for at most this many seconds; return whether it finished."""
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
        """Compute for one more slice; return whether the function finished."""
        if self._worker is not None and not self._worker.go_on(SLICE):
            return False
        return self.attempt(SLICE)

    def take_over(self, other: Job) -> None:
        """Take over the unfinished computation of another job, to continue it if this job needs the same one."""
        self._worker, other._worker = other._worker, None

    def computed(self, key: Hashable, compute: Callable[[Tell], T], seconds: float | None = None) -> T:
        """Return the result of a computation, or raise `Paused` if it does not finish in the remaining time."""
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
        """Return the result of `look`, which is called once per job; raise `Paused` if no time is left after that."""
        if key not in self._known:
            self._known[key] = look(), None
            if time.monotonic() > self._until:
                self._pause()
        return self._known[key][0]

    def first_time(self, key: Hashable) -> bool:
        """Return whether this is the first call with this key."""
        first = key not in self._known
        self._known.setdefault(key, (None, None))
        return first

    def is_done(self, key: Hashable) -> bool:
        """Return whether `note_done` was called with this key."""
        return key in self._known

    def is_computing(self, key: Hashable) -> bool:
        """Return whether the current computation is the one with this key."""
        return self._worker is not None and self._worker.key == key

    def stop(self) -> None:
        """End the job because the user cancelled it."""
        self.drop_worker()
        if self._on_stop is not None:
            self._on_stop()

    def drop_worker(self) -> None:
        """End the current computation, if there is one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def _pause(self) -> None:
        self._paused = True
        raise Paused


@contextmanager
def _collector_off() -> Iterator[None]:
    """Disable Python's garbage collector in the `with` block.

    Otherwise it would traverse all objects of Blender's scripts over and over while a computation allocates many.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


_listener: Callable[[float], None] | None = None


@contextmanager
def heard_by(listener: Callable[[float], None]) -> Iterator[None]:
    """Report the progress of blocking computations in the `with` block to a function, as the fraction that is done.

    The fraction starts at 0 again with each computation.
    """
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before


class Cursor:
    """Shows the progress of a long computation at the mouse cursor while it blocks the window."""

    def __enter__(self) -> Cursor:
        self._began, self._shown = time.monotonic(), False
        return self

    def tell(self, fraction: float, _text: str = "") -> None:
        """Show this fraction as the progress."""
        if _listener is not None:
            _listener(fraction)
        if not self._shown and time.monotonic() - self._began > AT_ONCE:
            self._shown = True
            bpy.context.window_manager.progress_begin(0.0, 1.0)
        if self._shown:
            bpy.context.window_manager.progress_update(fraction)

    def __exit__(self, *_error: object) -> None:
        if self._shown:
            bpy.context.window_manager.progress_end()


_job: Job | None = None
_shown_at = 0.0
_attempted: Job | None = None
_given: Mapping[Hashable, object] = {}


def going() -> Job | None:
    """Return the job that is currently running in slices, if any."""
    return _job


def attempted() -> Job | None:
    """Return the job whose function is being called now; None outside of jobs, where nothing raises `Paused`."""
    return _attempted if current_thread() is main_thread() else None


def computed(key: Hashable, compute: Callable[[Tell], T]) -> T:
    """Return the result of a long computation that uses no Blender data.

    Parameters
    ----------
    key : identifies the computation within a job.
    compute : takes a function `progress`, which it calls with the fraction that is done. It must not catch what
        `progress` raises.

    Raises
    ------
    Paused
        In a job, if the computation takes too long to wait for.
    """
    if key in _given:
        return cast(T, _given[key])
    job = attempted()
    if job is not None:
        return job.computed(key, compute)
    if current_thread() is not main_thread():
        return compute(lambda *_told: None)
    with Cursor() as cursor, _collector_off():
        if _job is not None and _job.is_computing(key):
            return _job.computed(key, compute, float("inf"))
        return compute(cursor.tell)


@contextmanager
def at_once(known: Mapping[Hashable, object]) -> Iterator[None]:
    """Run every computation to completion in the `with` block, even in a job, except those `known` by their keys."""
    global _attempted, _given
    before = _attempted, _given
    _attempted, _given = None, known
    try:
        yield
    finally:
        _attempted, _given = before


def remembered(key: Hashable, look: Callable[[], T]) -> T:
    """Return the result of `look`. It may use Blender's data; in a job it is called only once for each key.

    Raises
    ------
    Paused
        In a job, if there is no time left after that.
    """
    job = attempted()
    return look() if job is None else job.remembered(key, look)


def at_part(title: str, number: int, count: int) -> None:
    """Show in a job which of several parts is computed from now on; each of them has its own progress."""
    job = attempted()
    if job is not None and count > 1:
        job.title = f"{title}, {number} of {count}"


def first_time(key: Hashable) -> bool:
    """Return whether this is the first call with this key in a job; always true outside of jobs."""
    job = attempted()
    return job is None or job.first_time(key)


def note_done(key: Hashable) -> None:
    """Record in a job that something is done and must not be repeated; raise `Paused` if no time is left after that."""
    remembered(key, lambda: None)


def is_done(key: Hashable) -> bool:
    """Return whether `note_done` was called with this key in a job; always false outside of jobs."""
    job = attempted()
    return job is not None and job.is_done(key)


def do(kind: str, title: str, again: Callable[[], None], on_stop: Callable[[], None] | None = None) -> bool:
    """Run a function as a job; return whether it finished at once. If not, it continues in slices.

    In background mode it always finishes at once.

    Parameters
    ----------
    kind, title, again, on_stop : as in `Job`.
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
    """Call the function of the current job again after a change, if the job is of this kind."""
    job = _job
    if job is not None and job.kind == kind and job.attempt(SLICE):
        drop()


def stop() -> None:
    """End the current job because the user cancelled it."""
    if _job is not None:
        _job.stop()
        drop()


def drop(kind: str = "") -> None:
    """Discard the current job, if it is of this kind or no kind is given; it has no effect then."""
    global _job
    job = _job
    if job is not None and kind in ("", job.kind):
        _job = None
        job.drop_worker()
        show()


def _step() -> float | None:
    """Compute one slice; called by a timer, which ends when this returns None because no job is left."""
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
    elif time.monotonic() - _shown_at >= SHOWN_EVERY:
        show()
    return TICK if _job is not None else None


def show() -> None:
    """Show the progress of the current job in the status bar and the sidebars."""
    global _shown_at
    _shown_at = time.monotonic()
    text = f"{_job.title}: {100.0 * _job.fraction:.0f} %     Esc: stop" if _job is not None else None
    for window in bpy.context.window_manager.windows:
        window.workspace.status_text_set(text)
    redraw_regions("UI", {"VIEW_3D", "DOPESHEET_EDITOR"})
