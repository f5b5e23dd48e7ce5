/** Every suspicious literal ends in exactly one state. */
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { SourceModule } from '../../evaluate/module.ts';
import type { Finding, FindingCode, LedgerEntry } from '../../model.ts';
import type { Node } from '../../syntax/tree.ts';
import { placesOf } from '../../verdict/request-sites.ts';
import { isV2Alone, isVersionAlone, oldTypes } from '../answers/old-types.ts';
import { composedPaths } from '../paths/composed-paths.ts';
import { expectedAddresses } from '../paths/expected-addresses.ts';
import { isRepeated } from '../paths/repeats.ts';
import { servedIn } from '../servers/own-routes.ts';
import { Book } from './book.ts';
import { commentsOn } from './comments.ts';
import { type Facts, factsOf, type Judged } from './facts.ts';
import { withHeadersBeside } from './headers-beside.ts';
import { givenByConstants } from './given-by-constants.ts';
import { helpOfEndings } from './help-texts.ts';
import { heldBeside } from './held-beside.ts';
import { entryFor, namesLeft, notReportedBy, versionsLeft } from './ledger-entry.ts';
import { spokenIn } from './page-texts.ts';
import { accountedFor } from './rules/accounted-for.ts';
import { repeated } from './rules/repeated.ts';
import type { Rule } from './rules/rule.ts';
import { unasked } from './rules/unasked.ts';
import { isOfBase, type Suspicious, suspicious } from './suspicious.ts';
import { isOurAddress } from './texts-of-ours.ts';
import { versionsBesideBases } from './versions-beside.ts';

const rules = [accountedFor, repeated, unasked].flatMap((each) => Object.values(each));

export interface Ledger {
  readonly entries: LedgerEntry[];
  readonly findings: Finding[];
}

export function ledgerOf(judged: Judged): Ledger {
  const { ev, sites, changes, refusedFor, isCandidate } = judged;
  const facts = factsOf(judged);
  const book = new Book(facts);
  const modules = [...ev.world.modules.values()];
  for (const module of modules) {
    if (isCandidate(module.file)) settleAll(module, facts, book);
    else tellRepeated(module, facts, book);
  }
  tellUnmarked(modules, facts, book);
  book.settleWaiting();
  book.entries.push(...versionsLeft(book.entries, changes, refusedFor), ...namesLeft(sites, changes, refusedFor));
  tellSpoken(modules, facts, book);
  const codeOf = (node: Node): FindingCode | undefined => (book.isNamed(node) ? 'unconsumed' : undefined);
  return { entries: withHeadersBeside(book.entries, modules, codeOf, facts.openIn), findings: book.findings };
}

/** Each literal of a file, by the first rule that holds. */
function settleAll(module: SourceModule, facts: Facts, book: Book): void {
  const served = servedIn(facts.ev, module);
  const held = new Set<Rule>();
  for (const literal of suspicious(module)) {
    const { node } = literal;
    const entry = entryFor(literal, facts.changedIn(literal) ?? facts.stateOf(node));
    if (entry.reason === 'base-not-proven' && !isTest(module) && isOurAddress(node, facts.bases)) book.askedUnseen();
    const at = { ...literal, entry, served };
    for (const rule of rules) {
      const outcome = rule(at, facts, { isAgain: held.has(rule), isNamed: book.isNamed });
      if (outcome === false) continue;
      held.add(rule);
      book.settle(at, outcome);
      break;
    }
  }
}

/**
 * Of a file that was only read for what it imports: a form or a schema that asks for a base of v1 would refuse that of v2, and need hold nothing else of it.
 * So does a test that cuts the version off: `url.split('/v1')[1]`.
 */
function tellRepeated(module: SourceModule, { isAnyMoved, isRunning, isLeft }: Facts, book: Book): void {
  const isNear = isRunning(module);
  for (const literal of isAnyMoved ? suspicious(module).filter(({ node }) => isNear || isOfBase(node)) : [])
    if (isRepeated(literal.node, module) && isLeft(literal)) book.tell('repeats-path', literal);
}

/** What no text says by itself, and is ours by what it is put together of, stands beside or is expected of. */
function tellUnmarked(modules: readonly SourceModule[], facts: Facts, book: Book): void {
  const { ev, sites, bases, consumed, isLeft, isRunning, isMoved } = facts;
  const placed = new Set(book.entries.map(({ file, start }) => `${file} ${start}`));
  const isPlaced = ({ module, start }: Suspicious): boolean => placed.has(`${module.file} ${start}`);
  for (const literal of composedPaths(ev, sites, bases)) if (!isPlaced(literal)) book.tell('unconsumed', literal);
  const beside = [...versionsBesideBases(ev, bases, consumed), ...heldBeside(ev, book.unconsumed, bases, placed)];
  for (const literal of new Map(beside.map((each) => [each.node, each])).values())
    if (!consumed.has(literal.node) && isLeft(literal)) book.tell('unconsumed', literal);
  for (const literal of givenByConstants(modules, facts)) if (!isPlaced(literal)) book.tell('unconsumed', literal);
  for (const literal of expectedAddresses(ev, modules.filter(isRunning), sites, isMoved, bases))
    if (!isPlaced(literal) && !consumed.has(literal.node)) book.tell('repeats-path', literal);
}

/** What types, pages, help and comments say of v1, beside what moves. */
function tellSpoken(modules: readonly SourceModule[], facts: Facts, book: Book): void {
  const { findings } = book;
  const { ev, bases, changes, moved, onV2, isAnyMoved, movedIn, isOfClient } = facts;
  const isVersionMoved = moved.all.some(isVersionAlone);
  const withVersions = isVersionMoved || onV2.some((site) => placesOf(site).some(({ node }) => isV2Alone(node)));
  if (changes.all.length > 0 || onV2.length > 0)
    findings.push(
      ...modules.flatMap((module) => oldTypes(module, bases, withVersions, isVersionMoved)),
      ...spokenIn(ev, bases).filter(notReportedBy(findings)),
    );
  for (const module of isAnyMoved ? modules : [])
    for (const node of helpOfEndings(module))
      if (isOfClient(module, node)) book.tell('mentioned', { node, module, start: node.start, end: node.end });
  if (isAnyMoved) findings.push(...commentsOn(ev, bases, movedIn, isOfClient));
}
