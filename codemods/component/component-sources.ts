/** What the relevance slice is told of the files of a component: what their texts hold, and where their imports lead. */
import { clientRules } from '../clients/registry.ts';
import { setsStandIn } from '../clients/testing/stand-in-servers.ts';
import { mayHoldOldTypes } from '../escape/answers/old-types.ts';
import { isAdvisable, mayBeAdvised } from '../escape/advice.ts';
import { mayWait } from '../escape/limits/waits-by-code.ts';
import { combined } from '../evaluate/libraries/combined.ts';
import { namesPutIn } from '../evaluate/libraries/provided.ts';
import { namesOf } from '../find/modules/open-imports.ts';
import type { Resolve } from '../find/modules/resolver.ts';
import { variantsOf } from '../find/modules/variants.ts';
import { asLatin1, escaped, literalsOf } from '../find/words/literals.ts';
import { memoOf } from '../once.ts';
import { type Bases, needlesOf } from '../verdict/bases/routes.ts';
import type { FileReader } from './file-reader.ts';
import type { Sources } from './relevance/sources.ts';

/** What bases have texts searched for: the same for all components of a run. */
export const soughtFor = memoOf((bases: Bases) => {
  const needles = needlesOf(bases);
  const literals = literalsOf(needles);
  const isNear = (text: string): boolean => needles.length === 0 || literals.holdsNeedle(text);
  return {
    hasBases: needles.length > 0,
    literals,
    isNear,
    /** A base of ours, or a path, a version or the name of a header without an address: what an example has is so in its copies. */
    isOfCopies: (text: string): boolean =>
      isNear(asLatin1(text)) || ofService.test(text) || (!text.includes('://') && literals.holdsAny(asLatin1(text))),
  };
});

/** A version, before a path or alone, and v2's header: what a run before has moved is ours, too. */
const ofService = /^\/?v[12](?:\/|$)|^authorization$/i;

export const sourcesOf = (reader: FileReader, resolve: Resolve, { literals, isNear }: ReturnType<typeof soughtFor>): Sources => ({
  load: (file) => reader.load(file),
  text: (file) => reader.text(file),
  resolve,
  named: (file, specifiers) => specifiers.flatMap((each) => namesOf(file, each, reader.about.keys())),
  insteadOf: (file) => variantsOf(file, reader.about.keys(), variants),
  isSuspicious: (text) => literals.holdsAny(text),
  isNear,
  holdsPart: (text) => literals.holdsPart(text),
  isReportable: (text) => setsStandIn(text) || mayHoldOldTypes(text),
  isAdvisable,
  mayBeReported: mayBeAdvised,
  mayBeReportedIn: (file) => reader.about.has(file) && (reader.isAdvised(file) || mayWait(reader.text(file))),
  speaksHttp: (text) => http.test(text),
  namesPutIn: (modules, asked) => namesPutIn(clientRules, modules, asked),
});

const { variants } = combined(clientRules);
const clients = clientRules.filter(({ isForTests }) => isForTests !== true);
const anyOf = (names: readonly string[]): string => names.map(escaped).join('|');

/** The names of all that makes clients and requests; `${` is a template. */
const http = new RegExp(
  [
    `['"\`](?:node:)?(?:${anyOf(clients.flatMap(({ modules }) => modules ?? []))})['"\`/]`,
    `(?<![\\w$])(?:${anyOf(clients.flatMap(({ globals, types }) => [...(globals ?? []), ...(types ?? [])]))})(?![\\w$]|(?<=\\$)\\{)`,
  ].join('|'),
);
