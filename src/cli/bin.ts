#!/usr/bin/env node
// This file and its imports run on whatever Node the machine has, so they use syntax that Node 12 parses and load the rest
// only once the version is known to be right.
import module from 'module';
import { here, remedy } from './invocation.ts';
import { nodeProblem } from '../node-version.ts';

const args = process.argv.slice(2);
const problem = nodeProblem(process.versions.node);
if (problem === '') {
  // What was compiled once is kept: loading the compiler of the codemods takes half a second otherwise.
  module.enableCompileCache();
  // Before anything else is loaded: on the machine of a proxy, calls would wait for that already.
  const ready = args[0] === 'report' ? import('./report/priority.ts').then(({ yieldToOthers }) => yieldToOthers()) : Promise.resolve();
  // oxlint-disable-next-line promise/catch-or-return -- main reports its own errors; anything else shall end the process
  ready.then(() => import('./main.ts')).then(({ main }) => main(args));
} else {
  console.error(`${problem}; ${remedy(here(), args)}`);
  process.exitCode = 4;
}
