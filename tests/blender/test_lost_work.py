"""Ways in which an animator could lose work with this extension.

They were thought up from the README and the pages for users alone, before anybody looked at the code or at another
test, by somebody who had to decide whether a studio may use it on files people have worked on for a month.

Baking, and baking again under corrections
  1  A bake is given the name of an action that I keyed by hand: mine is overwritten.
  2  A bake is assigned in place of my action, whose last user goes; I save, open the file again, and it is gone.
  3  I corrected the keys of a bake by hand; the next bake under that name writes over my corrections.
  4  My correction layer in the NLA above a bake is retimed, muted, cut or emptied when the bake is made again.
  5  The bake is used by a second character or a second strip too: baking again changes that one's motion.
  6  I renamed the bake, made it a fake user and put markers, groups or modifiers on it; baking again drops them.
  7  Baking again is refused or stopped half way: the old bake is half gone.
  8  Baking again while I edit a strip of the NLA (tweak mode) puts keys into the action that I edit.

Library overrides that are directed in the shot
  9  Directing an override writes into other people's library file, or marks its data as changed.
 10  The override has edits of mine (pose, constraint, action, custom property); On, save, open, Off takes them back.
 11  The library changes and is reloaded while the verb is on: sliders, their keys and commands in the shot are gone.
 12  The library is missing when the shot is opened and saved: the shot's direction is gone when it is back.
 13  Something seems to be done in the shot, but only on linked data: it is gone when the shot is opened again.
 14  The library's armature was renamed or a verb removed there: keys and commands in the shot are dropped.
 15  The override is made local, or reset, while the verb is on: the action from before does not come back.

Renamed bones
 16  Map Bones writes new names into my source actions, or breaks contacts, measures, masks, refinements; undo does
     not bring all of it back.
 17  Bones are renamed while the verb is on: keys that I set meanwhile, or my action from before, are lost by Off.
 18  Bones are renamed after a bake with a correction layer above; baking again leaves corrections on nothing.

Frame rates and settings of the scene
 19  The frame rate of the scene is changed: keys of sliders, commands, keytimes or words stand elsewhere afterwards.
 20  The frame rate is changed between a bake and baking again: the correction layer no longer fits or is rewritten.
 21  Operators change the range of frames, frame, rate, mode, selection or active object and do not put them back.

While the verb is on
 22  I pose without keying before Switch On: the pose is gone after Off, or after saving and opening in between.
 23  Keys that I set while it is on are lost by dragging a slider, by saving, by opening again, or by Off.
 24  I assign an action of mine while it is on: after Off, saving and opening it is gone for want of users.
 25  A modifier, a marker or a custom property that I put on the played action is lost by Off.
 26  NLA tracks, strips, their muting and solo, drivers and constraints of the armature differ after Off.
 27  The extension is disabled while it is on, the file saved and opened without it: my action is gone for good.
 28  I delete the director, or its action, while it is on: the armature's own action does not come back.
 29  I copy the character while it is on, and switch one off or delete it: the other one loses its motion or action.
 30  I copy the whole scene while it is on and delete the first one: the action from before is lost.
 31  The file is appended into another one while it is on: there Off cannot give anything back.

Data that nothing but the extension uses
 32  Source actions that nothing but a verb uses are purged as orphans, or with the character that is deleted.
 33  A verb, an example or a layer is removed and the file saved: the actions, values or keys are gone.
 34  Old takes are purged, or the next take is written over the one before.
 35  An adverb or a layer is renamed: slider keys stay behind under the old name; removed: its keys are deleted.
 36  Words are read a second time: emphases, gestures and looks that I corrected by hand are gone.
 37  Show Plan and Hide Plan remove, move or mute strips of mine in the sequencer.
 38  Copy Verbs from, Mirror, New Action From This, or Find Keytimes write over things of mine of the same name.

Undo, files, farm
 39  Undo after On, Off, a bake or a take goes back to something that never was, or loses keys set before.
 40  An automatic save, a copy, or the last session is saved while it is on: opened, it has lost my action.
 41  The farm's command bakes into the file that is open, or two of them into one file: the file is half written.
 42  The folder cannot be written, or the disk is full: the file that was there is gone.
 43  Blender ends in the middle of a take, twice: the journal of the first is replaced by that of the second.
 44  A file is opened in the other Blender version and saved there while the verb is on: Off gives nothing back.
 45  Ctrl Z, Esc, closing the window or loading a file while I perform lose what was there before the performance.
"""
