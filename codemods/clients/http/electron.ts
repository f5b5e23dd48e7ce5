/** Electron's `net` and sessions, which ask as Chromium does: https://www.electronjs.org/docs/latest/api/net. */
import { type HttpValue, unknown, type Value } from '../../evaluate/values.ts';
import type { ClientRule, RuleCall } from '../../evaluate/client-rule.ts';
import { isAnywhere } from '../whole-program.ts';
import { fetchRequest } from './fetch.ts';
import { fluent, inParts } from './node-http.ts';
import { isOptions, made, option, settingHeaders } from '../shapes.ts';

const name = 'electron';

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default');
  if (call.on !== undefined) return path.length === 1 && fluent.has(path[0] ?? '') ? call.on : undefined;
  const asked = path.join('.') === 'net.request' ? request(call) : asks.has(path.join('.')) ? fetchRequest(name, call) : undefined;
  if (asked === undefined || !isAnywhere(call.ev.world, hooks)) return asked;
  return { ...asked, notes: { ...asked.notes, moved: unknown(call.node, call.module, 'assigned') } };
}

/** What a session does to all requests: it may send them elsewhere, or put another header there. */
const hooks = String.raw`\bonBefore(?:SendHeaders|Request)\b`;
const asks = new Set(['net.fetch', 'session.defaultSession.fetch']);

function request(call: RuleCall): HttpValue | undefined {
  const [first] = call.args;
  if (first === undefined) return undefined;
  if (!isOptions(first)) return made(name, 'request', call, { url: first, method: 'GET' });
  return made(name, 'request', call, {
    // An address wins over its parts.
    url: option(call, first, 'url') ?? inParts(call, first, 'http'),
    method: option(call, first, 'method') ?? 'GET',
    headers: [option(call, first, 'headers')],
  });
}

export const electronRule: ClientRule = {
  name,
  title: "Electron's net",
  modules: [name, 'electron/main'],
  call,
  additions: settingHeaders(new Set(['setHeader'])),
  addsBy: ['setHeader'],
  announces: (name) => name === 'preconnect',
  ambient: { mark: new RegExp(hooks), reached: /\bnet\.(?:request|fetch)\(|\bdefaultSession\.fetch\(/, isSilent: true },
};
