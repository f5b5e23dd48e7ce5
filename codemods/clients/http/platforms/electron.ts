/** Electron's `net` and sessions, which ask as Chromium does: https://www.electronjs.org/docs/latest/api/net. */
import { type HttpValue, unknown, type Value } from '../../../evaluate/values/values.ts';
import type { Additions, ClientRule, Mutation, RuleCall } from '../../../evaluate/libraries/client-rule.ts';
import type { Evaluation } from '../../../evaluate/evaluation.ts';
import { askingOrAddress } from './electron-askers.ts';
import { addedBySession, sessionHooksIn } from './electron-sessions.ts';
import { fetchRequest } from '../fetch.ts';
import { fluent, inParts } from '../node-http.ts';
import { isOptions, made, option, settingHeaders } from '../../shapes.ts';

const name = 'electron';

function call(call: RuleCall): Value | undefined {
  const path = call.path.filter((each) => each !== 'default');
  if (call.on !== undefined) return path.length === 1 && fluent.has(path[0] ?? '') ? call.on : undefined;
  const asked = path.join('.') === 'net.request' ? request(call) : asks.has(path.join('.')) ? fetchRequest(name, call) : undefined;
  const hooks = sessionHooksIn(call.ev.world);
  if (asked === undefined || hooks === 'none') return asked;
  if (hooks === 'followed') return { ...asked, origins: [...asked.origins, name] };
  return { ...asked, notes: { ...asked.notes, moved: unknown(call.node, call.module, 'assigned') } };
}

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

const setting = settingHeaders(new Set(['setHeader']));
const additions = (mutation: Mutation, request: HttpValue, ev: Evaluation): Additions | undefined =>
  setting(mutation, request, ev) ?? addedBySession(mutation, request, ev);

export const electronRule: ClientRule = {
  name,
  title: "Electron's net",
  modules: [name, 'electron/main'],
  call,
  additions,
  addsBy: ['setHeader', 'onBeforeSendHeaders'],
  // What pages ask for goes through their session, by whatever they ask; which files are of pages, nothing says.
  reaches: ({ mock }, { world }) => mock === undefined && sessionHooksIn(world) === 'followed',
  announces: (name) => name === 'preconnect',
  ambient: { mark: /\bonBefore(?:SendHeaders|Request)\b/, reached: askingOrAddress, isSilent: true },
};
