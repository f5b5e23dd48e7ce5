/**
 * Has every answer and every delivery of every sandbox in this process checked against the OpenAPI documents. `node --require` loads it into
 * the processes of a test run, whatever their Node. The processes of vitest check at once. Those that tests start load nothing but this
 * file, and leave what is to be checked to the end of the run: there, one process compiles the documents once for all.
 * SANDBOX_ANSWERS names the folder that is told: one byte for each answer and delivery that was checked, one line for each violation and
 * for each that is still to be checked.
 */
'use strict';

const { subscribe } = require('node:diagnostics_channel');
const { openSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.SANDBOX_ANSWERS;

/** The faults after which an answer does not come as it was written. */
const spoilt = new Set(['reset', 'truncated', 'invalidJson']);

/** Violations that no test was told of yet. */
const violations = [];

let isChecking = false;

/** Kept open: a run has tens of thousands of answers. */
const files = {};

function write(kind, text) {
  files[kind] ??= openSync(join(folder, `${process.pid}.${kind}`), 'a');
  writeSync(files[kind], text);
}

function tell(kind, told) {
  if (!isChecking) {
    write('unchecked', `${JSON.stringify([kind, told])}\n`);
    return;
  }
  write(kind, '.');
  const found = require('./answers-check.ts').check(kind, told);
  for (const violation of found) write('violations', `${violation}\n`);
  violations.push(...found);
}

if (folder !== undefined) {
  subscribe('migrate-v2:sandbox:answer', (answer) => {
    if (!spoilt.has(answer.fault)) tell('answers', answer);
  });
  subscribe('migrate-v2:sandbox:delivery', (delivery) => tell('deliveries', delivery));
}

/** From now on, checks in this process. */
exports.checkAtOnce = () => (isChecking = true);

/** The violations since the last call. */
exports.newViolations = () => violations.splice(0);
