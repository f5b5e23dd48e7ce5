// Runs on whatever Node the machine has. Until version 11, npm takes away what it linked of a package for this platform with those for others:
// all of them have a command of the same name.
const { existsSync, rmSync, symlinkSync } = require('fs');
const { optionalDependencies } = require('./package.json');

const link = 'node_modules/.bin/node';
const own = Object.keys(optionalDependencies).find((name) => existsSync(`node_modules/${name}/bin/node`));
if (own !== undefined && !existsSync(link)) {
  rmSync(link, { force: true });
  symlinkSync(`../${own}/bin/node`, link);
}
