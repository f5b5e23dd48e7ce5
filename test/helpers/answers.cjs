/**
 * Checks every answer and every delivery of every sandbox in this process against the OpenAPI documents. `node --require` loads it into
 * the processes of a test run, whatever their Node; nothing but this file is loaded before a sandbox has answered.
 * SANDBOX_ANSWERS names the folder that is told: one byte for each answer and delivery, one line for each violation.
 */
'use strict';

const { subscribe } = require('node:diagnostics_channel');
const { appendFileSync, openSync, writeSync } = require('node:fs');
const { join } = require('node:path');

const folder = process.env.SANDBOX_ANSWERS;

/** The faults after which an answer does not come as it was written. */
const spoilt = new Set(['reset', 'truncated', 'invalidJson']);

/** Violations that no test was told of yet. */
const violations = [];

/** Kept open: a run has tens of thousands of answers. */
const counts = {};

function tell(kind, found) {
  counts[kind] ??= openSync(join(folder, `${process.pid}.${kind}`), 'a');
  writeSync(counts[kind], '.');
  for (const violation of found) appendFileSync(join(folder, `${process.pid}.violations`), `${violation}\n`);
  violations.push(...found);
}

if (folder !== undefined) {
  subscribe('migrate-v2:sandbox:answer', (answer) => {
    if (!spoilt.has(answer.fault)) tell('answers', require('./answers-check.ts').checkAnswer(answer));
  });
  subscribe('migrate-v2:sandbox:delivery', (delivery) => tell('deliveries', require('./answers-check.ts').checkDelivery(delivery)));
}

/** The violations since the last call. */
exports.newViolations = () => violations.splice(0);
