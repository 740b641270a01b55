// Stands in for the Flamenco Manager: node flamenco.js JOB_TYPE SETTINGS prints the job type's settings and its tasks.
const fs = require("node:fs");
const vm = require("node:vm");

class Task {
    constructor(name, type) { Object.assign(this, { name, type, commands: [], after: [] }); }
    addCommand(command) { this.commands.push(command); }
    addDependency(task) { this.after.push(task.name); }
}
const tasks = [];
const author = { Task: (name, type) => new Task(name, type), Command: (name, parameters) => ({ name, parameters }) };
const given = { author, path: require("node:path").posix, print: () => {} };
const source = fs.readFileSync(process.argv[2], "utf8") + "\n;({ JOB_TYPE, compileJob });";
const { JOB_TYPE, compileJob } = vm.runInNewContext(source, given, { filename: process.argv[2] });
let refused = "";
try {
    compileJob({ settings: JSON.parse(process.argv[3]), addTask: (task) => tasks.push(task) });
} catch (error) {
    refused = String(error);
}
console.log(JSON.stringify({ settings: JOB_TYPE.settings, tasks, refused }));
