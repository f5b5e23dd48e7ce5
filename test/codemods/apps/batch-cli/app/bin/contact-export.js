#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { exportContacts } from '../src/main.js';
import { store } from '../src/warehouse.js';

const { values } = parseArgs({
  options: { notify: { type: 'string' }, campaign: { type: 'string' }, warehouse: { type: 'boolean', default: false } },
});

const key = process.env.MESSAGING_KEY;
if (!key) {
  console.error('MESSAGING_KEY is missing');
  process.exit(2);
}

const lines = [];
const write = values.warehouse ? (line) => lines.push(line) : (line) => process.stdout.write(line);
await exportContacts({ key, notify: values.notify, campaign: values.campaign, write });
if (values.warehouse) await store(lines, process.env.WAREHOUSE_KEY);
