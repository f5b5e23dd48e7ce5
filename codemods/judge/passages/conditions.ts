/** When a passage moves: what it says of v1 holds of v2 once the code that it is about is moved, and of nobody else. */
import type { Passage } from '../../escape/ledger/passages.ts';
import type { Subject } from '../../escape/ledger/subjects.ts';
import { isKey } from '../uses-of-v1.ts';
import { asksForAll, isOfFile } from './asking-code.ts';
import { isExampleOf, type Package } from './package.ts';
import type { Packages } from './packages.ts';

type Mention = Passage['mentions'][number];

/** A passage, and what decides about it. */
interface Case {
  readonly passage: Passage;
  readonly packages: Packages;
  readonly subjects: readonly Subject[];
  readonly own: Package;
  /** Whether it says no more than addresses, each of which says by itself whose it is. */
  readonly isOfAddresses: boolean;
  /** The key of the service goes in its header, whoever else has one by that name. */
  readonly isOfItsKey: boolean;
  /** Whether all that it says was edited in the files that it names. */
  readonly isEdited: boolean;
}

type Condition = (each: Case) => boolean;

export function moves(passage: Passage, packages: Packages): boolean {
  const { subjects = [], mentions } = passage;
  const own = packages.of(passage);
  const given: Case = {
    passage,
    packages,
    subjects,
    own,
    isOfAddresses: mentions.every(({ kind }) => kind === 'address'),
    isOfItsKey: subjects.length > 0 && subjects.every(({ kind, name }) => kind === 'variable' && !own.keysKept.has(name)),
    isEdited: packages.isOfEdits(own.folder, { subjects, mentions }),
  };
  // That a variable is read says nothing of the version in it.
  return isSet(given) || (passage.isVersion !== true && conditions.every((holds) => holds(given)));
}

/** What is set holds, whatever stays that has nothing of it. */
const isSet: Condition = ({ passage, subjects, own, isOfAddresses }) =>
  isOfAddresses &&
  passage.imported === undefined &&
  subjects.length > 0 &&
  subjects.every(({ kind, name }) => (kind === 'variable' || kind === 'option') && own.set.has(name) && !own.namesLeft.has(name));

const isTied: Condition = (given) =>
  given.passage.imported !== undefined
    ? isOwnExample(given)
    : given.passage.isAlone === true
      ? !given.packages.isAnyLeft
      : given.subjects.every((subject) => isTiedBy(subject, given));

/** The option with the address has it as its default in code that moved, and what is shown with it is of the package, too. */
function isOwnExample(given: Case): boolean {
  const { own, subjects, passage } = given;
  const [option, ...others] = subjects;
  if (option === undefined || !own.set.has(option.name) || own.namesLeft.has(option.name)) return false;
  const isKnown = ({ kind, name }: Subject): boolean => kind === 'function' || own.read.has(name) || own.sent.has(name);
  const isImported = passage.imported?.every((from) => from.startsWith('.') || isOfPackage(from, own.name));
  const isMade = others.every((each) => !isOfFile(each) || isTiedBy(each, given));
  return isImported === true && isMade && others.every(isKnown);
}

const isOfPackage = (from: string, name: string | undefined): boolean =>
  name !== undefined && (from === name || from.startsWith(`${name}/`));

function isTiedBy(subject: Subject, given: Case): boolean {
  const { passage, packages, own, isOfAddresses, isEdited } = given;
  if (isEdited) return true;
  const { kind, name } = subject;
  if (isOfFile(subject))
    return packages.asking(name).some((each) => !packages.leftFiles.has(each.file) && asksForAll(each, own.folder, passage.mentions));
  if (passage.isEnding === true) return own.read.has(name) && own.bases.has(name) && !own.elsewhere.has(name);
  // A variable or an option that nothing here reads is set for somebody else, and a key is of the service whose address has its name.
  if (isOfAddresses) return own.read.has(name);
  if (kind === 'option') return own.sent.has(name);
  return isKeyBeside(name, own.set) || (isKey.test(name) && isOurKey(name, given));
}

/** `TEXTS_API_KEY` beside `TEXTS_URL`. */
function isKeyBeside(name: string, addresses: Iterable<string>): boolean {
  const [, service] = /^(\w+?)(?:_API)?_(?:KEY|TOKEN|SECRET)$/.exec(name) ?? [];
  const isAddress = /^(?:_(?:API|BASE|URL|URI|HOST|ENDPOINT|ADDRESS|ORIGIN|SERVER))+$/;
  return (
    service !== undefined && Array.from(addresses).some((each) => each.startsWith(service) && isAddress.test(each.slice(service.length)))
  );
}

function isOurKey(name: string, { passage, own, isOfItsKey }: Case): boolean {
  const { isOfItsName = false, isSentOut = false, hasOwnHeader = false } = passage;
  // What is called as the service is its key, if another file reads it than the one that sends it, and nobody else has such a header, or it is said to be sent.
  if (isOfItsName && own.read.has(name) && (!own.holds.has('header') || (isSentOut && isOfItsKey))) return true;
  return ((isOfItsKey && hasOwnHeader) || !own.holds.has('any key')) && own.keysMoved.has(name);
}

/** What says that a header is sent may say it of who is asked here. */
const isAskedByNobody: Condition = ({ passage: { isUntied = false }, own }) => !(isUntied && own.holds.has('answers'));

const isBesideNoV1: Condition = (given) => !given.own.holds.has('all') && (!given.own.isLeft || isOfCode(given));

/** What it says of code, or of a key that nothing else here has, holds whatever else is left. */
const isOfCode: Condition = ({ passage, subjects, own, isOfItsKey, isOfAddresses }) =>
  isOfFunctions(subjects) ||
  passage.imported !== undefined ||
  (isOfItsKey && !isOfAddresses && !own.holds.has('any key') && !subjects.some(({ name }) => own.namesLeft.has(name)));

const isOfFunctions = (subjects: readonly Subject[]): boolean => subjects.length > 0 && subjects.every(isOfFile);

const asksOnV2: Condition = ({ own }) => own.asked.size > 0;

const isOfServiceAlone: Condition = (given) => given.passage.mentions.every((mention) => ofService[mention.kind](mention, given));

/** When something that is said may be said of nobody but the service. */
const ofService: Readonly<Record<Mention['kind'], (mention: Mention, given: Case) => boolean>> = {
  address: ({ endpoints }, { passage: { isAlone, isUpstream }, own }) =>
    isAlone !== true ||
    endpoints.length === 0 ||
    endpoints.some((each) => own.asked.has(each) && !(isUpstream === true && own.askedElsewhere.has(each))),
  header: ({ isOfAddress = false }, { passage, own, isOfItsKey, isEdited }) =>
    isOfItsKey || passage.hasOwnHeader === true || isOfAddress || isEdited || !(own.holds.has('routes') || own.holds.has('header')),
  // What another service is asked for as well, a document may say of either; an address says by itself whose it is.
  route: ({ endpoints }, given) =>
    !given.own.holds.has('routes') &&
    (!given.own.holds.has('examples') || isBesideExamples(given)) &&
    endpoints.some((each) => given.own.asked.has(each) && !given.own.askedElsewhere.has(each)),
};

/** What an example answers, no function beside it asks for. */
const isBesideExamples: Condition = ({ subjects, own, packages }) =>
  isOfFunctions(subjects) && subjects.every(({ name }) => packages.asking(name).some(({ file }) => !isExampleOf(own, file)));

/** All of them have to hold. */
const conditions: readonly Condition[] = [isTied, isAskedByNobody, isBesideNoV1, asksOnV2, isOfServiceAlone];
