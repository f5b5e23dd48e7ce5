/** The words for the ways on which something gets out of sight. */
import type { EscapeWay, Finding } from '../model.ts';

const ways: Readonly<Record<EscapeWay, string>> = {
  given: '{name|It} is handed to code that was not read',
  exported: '{name|It} is exported, and none of these files imports it',
  compared: '{name|It} is compared with something else',
  kept: '{name|It} is put into something that cannot be followed, where others may use it',
  listed: 'The names in {name|it} are gone through one by one',
  read: '{name|It} is read or taken out again before a request goes out',
  asked: '{route|A request} uses the same client or header here, and where that goes cannot be told',
  used: '{name|It} is used in a way that is not followed',
  loaded: '{name|The file} is read by its name',
  unasked: 'A client that is given the key has the same base, and no call of it was seen',
  front: 'Path and key of what goes through here stand partly in this server and partly where it is called, and others may ask here, too',
  guarded: 'A guard gives requests their key by the beginning of their address, and this one begins with that, too',
};

const isWay = (way: string | undefined): way is EscapeWay => way !== undefined && Object.hasOwn(ways, way);

/** @returns how it gets out, where that is said */
export const escapedBy = (detail: Finding['detail']): { readonly reason?: string } =>
  isWay(detail['way']) ? { reason: wayOut(detail['way'], detail) } : {};

/** Where something gets out of sight, if that is not where it is named. */
function wayOut(way: EscapeWay, detail: Finding['detail']): string {
  const to = Object.hasOwn(detail, 'to') ? ' ({to|a call})' : '';
  const where = way === 'asked' ? ', as {at|another place} may give it any base' : ' at {at|another place}';
  const at = Object.hasOwn(detail, 'at') ? where : '';
  if (way === 'exported' && at !== '')
    return 'What is exported at {at|another place} has {name|it} in it, and none of these files imports that: whoever does would not move along.';
  return `${ways[way]}${to}${at}: what is done with it there would not move along.`;
}
