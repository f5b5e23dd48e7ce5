// Runs on whatever Node the machine has, once npm has installed: makes the project ready to run on the Node that it brings.
const { spawnSync } = require('child_process');
const { existsSync, rmSync, symlinkSync } = require('fs');
const { optionalDependencies } = require('./package.json');
const { packages } = require('../../package-lock.json');

const own = Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}/bin/node`));
if (own !== undefined) {
  if (isOld() && isIncomplete()) installAgain();
  link();
}

/**
 * What is optional, as native parts of packages are, npm leaves out without a word where it runs on an older Node than that asks for, such as
 * Debian 12's. Scripts run on our own Node, which needs it.
 */
function isOld() {
  return process.versions.node.split('.')[0] < 22;
}

function isIncomplete() {
  const { glibcVersionRuntime } = process.report.getReport().header;
  const machine = { os: process.platform, cpu: process.arch, libc: glibcVersionRuntime === undefined ? 'musl' : 'glibc' };
  const isForMachine = (row) =>
    row.os && row.cpu && Object.keys(machine).every((field) => !row[field] || row[field].includes(machine[field]));
  return Object.keys(packages).some((path) => packages[path].optional && isForMachine(packages[path]) && !existsSync(path));
}

/** By npm on our own Node. */
function installAgain() {
  const args = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error } = spawnSync(`node_modules/${own}/bin/node`, [process.env.npm_execpath, ...args], { stdio: 'inherit' });
  if (error !== undefined) throw error;
  if (status !== 0) process.exit(1);
}

/** Until version 11, npm takes away what it linked of a package for this platform with those for others: all of them have a command of the same name. */
function link() {
  const path = 'node_modules/.bin/node';
  if (existsSync(path)) return;
  rmSync(path, { force: true });
  symlinkSync(`../${own}/bin/node`, path);
}
