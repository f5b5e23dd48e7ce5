/** What a finding means in the case at hand, in words, where that is more than its code says: `{name|otherwise}` is filled in. */
import { bearer, v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { newInV2 } from '../../src/contract/route-templates.ts';
import type { Finding } from '../model.ts';
import { baseCase } from './case-bases.ts';
import { heldCase } from './case-held.ts';
import { ofRefused, reads } from './case-reads.ts';
import { settingsCase } from './case-settings.ts';
import { allowIt, type CaseWording, orIgnore } from './shared-wording.ts';
import { escapedBy } from './ways-out.ts';

/** Of a host of a test where the program itself may answer. */
const ofImage: CaseWording = {
  reason:
    '{name|The variable} is set here for a container of {image|an image} – nothing in these files says that it is made of them –, so the variable and all that reads it stay as they are.',
  remedy: `If {image|that image} is made of this code, ${allowIt}, which moves what stands here, too; if it is another program, give that a variable of its own.`,
};

/** Of another host whose address stands in another file than the call. */
const ofHostElsewhere: Partial<CaseWording> = {
  reason: `{name|What it sends} goes to {host|the other host} too, which stands at {at|another place}, and would get the key as a ${v2Auth.scheme} token.`,
};

const ownRoute: CaseWording = {
  reason:
    'A test sends this to {host|its own machine} at {by|another place}, where your own server may answer: it serves that path at {own|another place}, and would be asked for one of v2.',
  remedy: `If something stands in for the service at {by|that place}, ${allowIt}; if not, ask your own server by another client.`,
};

/** Of what may be sent to another host, where nobody sees how: by what that would be. */
const unseenHosts: Readonly<Record<string, CaseWording>> = {
  unseen: {
    title: 'Another host may be called by the same code',
    reason: `{host|Another host} stands here where the base stands, and no call to it is seen: if the code of this service makes it, that host would get the path of v2 and the key as a ${v2Auth.scheme} token.`,
    remedy: 'Write out how {host|that host} is called, or give it code of its own, and run again; or change path, base and header by hand.',
  },
  path: {
    title: 'Another host may be asked for the same paths',
    reason:
      'Nothing says what {host|the other host} is asked for here: if it is a path that another call of these files had, that host would be asked for one of v2.',
    remedy: 'Write out the path that {host|that host} is asked for and run again; or change path, base and header by hand.',
  },
  headers: {
    title: 'Another host may get the same headers',
    reason: `Nothing says which headers {host|the other host} gets here: if they are those of this service, that host would get the key as a ${v2Auth.scheme} token.`,
    remedy: 'Write out the headers of {host|that host} and run again; or change path, base and header by hand.',
  },
};

/** Of what asks again and again, and nobody can tell how often. */
const atAnyPace = 'How often this asks cannot be told here, and the smallest plan of v2 has {limit|few} calls an hour for all together.';

/** Of a path that v1 has not. */
export const ofNoEndpoint = 'The base is that of v1, but no endpoint of v1 is {method|called that way:} {route|this path}';

/** … which nobody asks for. */
const ofNoCaller = {
  kind: 'alone',
  title: 'v1 has no such endpoint, and nobody was seen to call it',
  reason: `${ofNoEndpoint}, and nobody was seen to ask for it.`,
  remedy:
    'Nothing, unless something that was not looked at calls it: then look up in MIGRATION.md which endpoint of v2 does what is meant.',
} as const;

/** … by a function of a client that does not wait for it. */
const ofUnasked =
  'Nobody was seen to call it, so its client does not wait for it: once that moves, whoever calls it sends the header of v2.';

/** The endpoint of v2 that a call asks v1 for. */
const askedOfV2 = ({ method = '', route = '' }: Finding['detail']): string | undefined =>
  newInV2(method.toUpperCase(), route.replace(/[?#].*$/, ''));

/** The reason of a snapshot in a file of its own. */
export const byTestRunner = 'written by a test runner';

/** Of what a test runner wrote, inside of a test or beside it. */
const ofSnapshot: CaseWording = {
  reason: 'A test runner wrote this snapshot of what was sent, and compares it with what is sent now.',
  remedy: 'Once the calls are on v2, run the tests with -u, and look at what that changes.',
};

/** Of build output that is committed for an action to run. */
const ofBundle: CaseWording = {
  title: 'An action runs this bundle, which uses v1',
  reason:
    '{action|Its action} names it as what is run: workflows that use the action ask v1 by it until it is made again, whatever its sources say.',
  remedy: `Once the sources are on v2, make it again and commit it with them; ${orIgnore}.`,
};

/** A file that git ignores: each machine has its own. */
const ofIgnoredFile: CaseWording = {
  reason: 'git ignores this file, so that it was not looked into: what reads it goes on to ask v1, here and wherever else the file is.',
  remedy: 'Name the file in the same run, or write it as v2 has it by hand, together with the calls that read it, and wherever else it is.',
};

/** Of what stands beside something that is moved. */
const ofUnseenUse: CaseWording = {
  title: 'Belongs to v1, beside what is moved',
  reason:
    'How it is used could not be followed. Where calls that are moved go by it, they have one half of v1 and one of v2 now; where a test has it, the test fails.',
  remedy: `If calls that are moved use it, change it to v2 as well; if others do, see that these are still on v1 as a whole; ${orIgnore}.`,
};

/** Of what stands in files with calls that were too much to follow. */
const ofUnfollowedUse: CaseWording = {
  title: 'Belongs to v1, and may be used by a call that was not followed to the end',
  reason: 'The files that it hangs together with have calls that take too many steps to follow (too-complex): one of these may use it.',
  remedy: `See to these calls first, and run again; what is changed by hand there, change here with it; ${orIgnore}.`,
};

/** Of what a test, or what starts the program, sets a variable to, which says nothing of the others that it runs for. */
const ofUnreadVariable: CaseWording = {
  reason: '{env|The variable} is set here for one way to run the program; nothing says what it is where others run it.',
  remedy: `If code goes by it, and it is a base of this service wherever that runs, run again with --v1-base env:{env|NAME}; ${orIgnore}.`,
};

/** Of a type that has v1's version alone, where that is moved as a value. */
const ofValue: CaseWording = {
  title: 'A type lets only v1 be the version, beside one that is moved',
  reason: 'Such a type is not rewritten: where the value that is moved is of this type, it does not compile until the type says v2.',
  remedy: `Write it as v2 has it; ${orIgnore}.`,
};

/** Of keys that are taken in turn. */
const ofKeys: CaseWording = {
  title: 'Takes one key after the other',
  reason: 'v1 counts the calls of each key, v2 those of the plan: another key no longer brings more calls.',
  remedy: `Reckon with the hourly limit of your plan (MIGRATION.md lists them), and give the program one key; ${orIgnore}.`,
};

/** Of what a program hands to a shell. */
const ofCommand: CaseWording = {
  title: 'A command that the program runs asks v1',
  reason: 'Commands in the texts of a program are not rewritten: this goes on asking v1, and with its header.',
  remedy: `Write path and header by hand as v2 has them, and together; ${orIgnore}.`,
};

/** Of a test that does with code of the program what would hold that, were it no test. */
const ofTest: CaseWording = {
  title: 'A test uses what is moved',
  reason: 'It does so in a way that is not followed: what it gives, looks for or expects here may still be of v1.',
  remedy: `Run it, and change by hand what fails; ${orIgnore}.`,
};

/** Of what asks a server of a test by its port, besides the calls that move. */
const ofFake: CaseWording = {
  title: 'Asks a server of your tests by v1 that stands in for the service',
  reason:
    '{at|A server of a test} answers at {host|that port} in the place of the service. It goes to v2 with the calls that are moved, by itself or by hand, and no longer answers this.',
  remedy: `Ask it as calls of v2 do; ${orIgnore}.`,
};

/** Of a permission, an egress rule or a proxy that lets all of a version through. */
const ofLetThrough: CaseWording = {
  title: 'Lets through what has a path of v1',
  reason:
    'Of the service, {path|paths of v1} is let through here, and nothing of v2: calls that are moved may be refused before they leave.',
  remedy: `Let the same of v2 through as well, and take v1 out when nothing calls it any more; ${orIgnore}.`,
};

/** Where v2 has another host. */
const ofHost: CaseWording = {
  title: 'Names the host of v1, and calls that move ask another',
  reason:
    '{host|That host} stands here by itself: what lets it through, expects it, or decides by it what becomes of a request, does not know the host of v2.',
  remedy: `Let it know the host of v2 as well, and take that of v1 out when nothing calls it any more; ${orIgnore}.`,
};

const ofKeyByHost: CaseWording = {
  title: 'Decides by the host of v1 what becomes of a request',
  reason: `Calls that pass here would go to another host than {host|that of v1}: they would go out without ${v2Auth.fieldName}.`,
  remedy: `Let it know the host of v2, too, or decide by something else, and run again; if what it holds may move along, ${allowIt}.`,
};

/** Of what a server in front puts before the rest of a path. */
const ofWritten: CaseWording = {
  title: 'Sends what passes to v1',
  reason:
    'What is asked here goes on to {path|v1} of the service: calls that are moved would come to v1, which takes no Bearer token for a key.',
  remedy: `Write v2 here at the same time as the calls that pass are moved; ${orIgnore}.`,
};

/** Of what a server in front reads of calls that it passes on. */
const ofRead: CaseWording = {
  title: 'Goes by the key of calls that are passed on',
  reason: `Calls that are moved to v2 send ${v2Auth.fieldName} in its place: what is checked, kept or sent by ${v1Auth.field} here would find none.`,
  remedy: `Go by ${v2Auth.fieldName}, whose value begins with ${v2Auth.scheme}, once calls send it, or give the key here, and run again; ${orIgnore}.`,
};

const ofVersionByNumber: CaseWording = {
  title: 'The version is put together with a number',
  reason:
    'What is asked for here is of v1, as {by|another place} says 1, and no text says so: who else reads that number would get another, too.',
  remedy: 'Write v1 as one text and run again, or change the number and the header by hand.',
};

const ofVersionInParts: CaseWording = {
  title: 'The version is put together of parts',
  reason: 'What is asked for here is of v1, but no single text says so, and there is none to write v2 in.',
  remedy: 'Write v1 as one text and run again, or change the parts by hand.',
};

/** Of a header that other code may name or set, too. */
const ofShared: CaseWording = {
  title: 'What sets the key is not one text with its header',
  reason: `What gives ${v1Auth.field} here may give other headers, too, or other code may give it anew: something is put over these headers, or they go to code that was not followed.`,
  remedy: `Write the header and its key as one property where the call or its client is made and run again, or write ${v2Auth.fieldName}: ${bearer('<key>')} by hand.`,
};

const ofSplitHeader: CaseWording = {
  title: 'A shell would split the header of v2 at its blank',
  reason: `${v2Auth.fieldName}: ${bearer('<key>')} has a blank in it, which ${v1Auth.field}:<key> has not, and it is put into the command outside of quotes here, or goes through what splits its words once more, such as ssh, eval or watch.`,
  remedy: `Put what holds the header into quotes, or give the command behind ssh, eval or watch as one text in quotes, and run again; or write ${v2Auth.fieldName}: ${bearer('<key>')} by hand, so that it stays one word.`,
};

const keysOfNoText: Readonly<Record<string, CaseWording>> = { read: ofRead, shared: ofShared, split: ofSplitHeader };

/** Of an address that a variable alone gives its version. */
const ofOpenVersion: CaseWording = {
  title: 'Which version is asked cannot be read',
  reason:
    'The base is that of v1, and {name|a variable} holds the version: no file that was looked at sets it, or one sets it to something else than v1.',
  remedy: `Set {name|it} to v1 where the program is configured, or give it a default in the code, and run again; or change it by hand; if what it holds may move along, ${allowIt}.`,
};

/** Of a server in front that another one may stand in the place of. */
const ofFront: CaseWording = {
  title: 'May get calls that another server passes on to the service',
  reason:
    'A server in front passes calls on to this service, and here those with the same path may go elsewhere, or be treated otherwise: which of both gets them is not known.',
  remedy: `If those that were seen do not come through here, ${allowIt}; if they do, they are none of this service.`,
};

const ofAnswer: CaseWording = {
  title: 'May name a kept answer by its address on v1',
  reason:
    'Such answers are kept under the address they are asked for by, and that is of v2 now: what this names is not among them any more.',
  remedy: `If it is the key of such an answer, write it as v2 has it; ${orIgnore}.`,
};
const repeats: Readonly<Record<string, CaseWording>> = {
  snapshot: ofSnapshot,
  test: ofTest,
  'let through': ofLetThrough,
  host: ofHost,
  written: ofWritten,
  fake: ofFake,
  answer: ofAnswer,
};

const ofKeyByTests: Partial<CaseWording> = {
  title: `The call is on v1, and tests alone are seen to give it ${v1Auth.field}`,
  remedy: `If who uses this gives the header, change path and tests by hand, and have them give ${v2Auth.fieldName}: ${bearer('<key>')} from that release on; if the program gives it, set ${v1Auth.field} where the client is made and run again.`,
};

/** What applies in place of what the code says, as far as anything does. */
export function wordingOfCase({ code, detail }: Pick<Finding, 'code' | 'detail'>): Partial<CaseWording> {
  switch (code) {
    case 'env-elsewhere':
      return settingsCase(detail);
    case 'authorization-present':
      return detail['how'] === 'refused' ? ofRefused : {};
    case 'decides-by-path':
      return detail['how'] === 'front' ? ofFront : Object.hasOwn(detail, 'host') ? ofKeyByHost : {};
    case 'dynamic-path':
      return Object.hasOwn(detail, 'name') ? ofOpenVersion : {};
    case 'base-split':
      if (detail['how'] !== 'version') return {};
      return Object.hasOwn(detail, 'by') ? ofVersionByNumber : ofVersionInParts;
    case 'key-not-text':
      return keysOfNoText[detail['how'] ?? ''] ?? {};
    case 'unconsumed':
      if (detail['how'] === 'moved') return ofUnseenUse;
      if (detail['how'] === 'ignored') return ofIgnoredFile;
      if (detail['how'] === 'cut') return ofUnfollowedUse;
      return detail['how'] === 'run' ? ofCommand : Object.hasOwn(detail, 'env') ? ofUnreadVariable : {};
    case 'old-type':
      return detail['how'] === 'value' ? ofValue : {};
    case 'minute-limit':
      return detail['how'] === 'keys' ? ofKeys : {};
    case 'reads-header':
      return reads[detail['how'] ?? ''] ?? {};
    case 'shared-with-other-host':
      if (Object.hasOwn(detail, 'own')) return ownRoute;
      return unseenHosts[detail['how'] ?? ''] ?? (Object.hasOwn(detail, 'at') ? ofHostElsewhere : {});
    case 'base-not-proven':
      return baseCase(detail);
    case 'key-not-found':
      return Object.hasOwn(detail, 'given') ? ofKeyByTests : {};
    case 'held-elsewhere':
      return heldCase(detail);
    case 'reads-variable':
      return Object.hasOwn(detail, 'image') ? ofImage : {};
    case 'repeats-path':
      return repeats[detail['how'] ?? ''] ?? {};
    case 'generated':
      if (Object.hasOwn(detail, 'action')) return ofBundle;
      return detail['reason'] === byTestRunner ? ofSnapshot : {};
    case 'polls':
      return Object.hasOwn(detail, 'limit') && !Object.hasOwn(detail, 'calls') ? { reason: atAnyPace } : {};
    case 'unknown-route': {
      if (detail['by'] === 'nobody') return ofNoCaller;
      const newer = askedOfV2(detail);
      const reason = newer === undefined ? `${ofNoEndpoint}, so none of v2 succeeds it.` : `${ofNoEndpoint}; v2 has ${newer}.`;
      return { reason: detail['by'] === 'no caller' ? `${reason} ${ofUnasked}` : reason };
    }
    case 'escapes':
      return escapedBy(detail);
    default:
      return {};
  }
}
