// SPDX-License-Identifier: GPL-3.0-or-later
//
// A job type for Flamenco, Blender's own render farm: a crowd is baked in shares and joined again.
// Put this file into the folder `scripts` next to the Flamenco Manager, and restart the Manager.

const JOB_TYPE = {
    label: "Verbs & Adverbs: Bake a Crowd",
    description: "Bake the performances of the file's directors, in shares on several machines, into one file",
    settings: [
        { key: "tasks", type: "int32", default: 10, propargs: {min: 1, max: 10000}, visible: "submission",
          description: "Number of tasks among which the characters are divided" },
        { key: "frames", type: "string", required: true,
          eval: "f'{C.scene.frame_start}-{C.scene.frame_end}'",
          evalInfo: { showLinkButton: true, description: "Scene frame range" },
          description: "First and last baked frame, such as '1-250'" },
        { key: "parts_folder", type: "string", subtype: "dir_path", required: true, visible: "submission",
          description: "Folder on the shared storage for the parts and the baked file. It must exist, and contain no"
            + " parts of another job" },
        { key: "baked_name", type: "string", required: true, default: "baked.blend", visible: "submission",
          description: "Name of the baked file in that folder" },
        { key: "score", type: "string", subtype: "file_path", required: false, visible: "submission",
          description: "File of a score for the characters. Empty for the scores of the Blender file" },

        // Filled in by the add-on:
        { key: "blendfile", type: "string", required: true, visible: "web",
          description: "Blender file with the characters" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    const span = /^\s*(-?\d+)\s*-\s*(-?\d+)\s*$/.exec(settings.frames);
    if (!span) {
        throw `'${settings.frames}' are no frames. Write the first and the last one, such as '1-250'.`;
    }
    if (!(settings.tasks >= 1)) {
        throw `${settings.tasks} is no number of tasks. Give at least 1.`;
    }

    const join = author.Task("join", "blender");
    for (let share = 1; share <= settings.tasks; share++) {
        const bake = author.Task(`bake-${share}-of-${settings.tasks}`, "blender");
        const part = path.join(settings.parts_folder, `${share}-of-${settings.tasks}.part.blend`);
        const score = settings.score ? [`--score=${settings.score}`] : [];
        bake.addCommand(verbs(settings, [
            "bake", `--share=${share}/${settings.tasks}`, `--first=${span[1]}`, `--last=${span[2]}`,
            ...score, "--part", part,
        ]));
        job.addTask(bake);
        join.addDependency(bake);
    }
    const baked = path.join(settings.parts_folder, settings.baked_name);
    join.addCommand(verbs(settings, ["join", settings.parts_folder, "--out", baked]));
    job.addTask(join);
}

// Flamenco's command that runs Blender: its executable, its arguments, the file, and the arguments after it.
function verbs(settings, words) {
    return author.Command("blender-render", {
        exe: "{blender}",
        exeArgs: "{blenderArgs}",
        argsBefore: [],
        blendfile: settings.blendfile,
        args: ["--command", "verbs", ...words],
    });
}
