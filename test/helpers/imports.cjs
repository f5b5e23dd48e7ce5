/**
 * Has each import of the project looked up once in a process. vitest tells its main process of every import, also of those that a run of
 * the codemods makes anew (`await import`) of what has long been loaded: with thousands of runs, that took as long as some of the runs.
 * Required, and not imported: a setup file runs again for every file of tests, this once for all.
 */
'use strict';

const { registerHooks } = require('node:module');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');

const project = pathToFileURL(join(__dirname, '../../')).href;
const known = new Map();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    // Files of tests have an address of their own each time, and what lies elsewhere comes and goes.
    if (!specifier.startsWith('.') || !parentURL.startsWith(project) || parentURL.includes('?')) return nextResolve(specifier, context);
    const key = `${specifier} ${parentURL}`;
    const found = known.get(key) ?? { ...nextResolve(specifier, context), shortCircuit: true };
    known.set(key, found);
    return found;
  },
});
