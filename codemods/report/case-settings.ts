/** What is told of variables that what moves reads, in the case at hand. */
import { v2Auth } from '../../src/contract/auth.ts';
import { type CaseWording, orIgnore } from './shared-wording.ts';

/** Of a variable whose default moves. */
const ofDefault: CaseWording = {
  reason: 'The default is moved to v2; where the program runs, {name|the variable} may be set to something else in the place of it.',
  remedy: 'Where {name|it} is set, set it to {value|the base of v2} at the same time as the new code.',
};

/** Of a variable that has a default elsewhere in the same program, and none here. */
const ofSameVariable: CaseWording = {
  reason:
    '{name|The variable} has no default here, and is taken to hold the base that it has as its default at {by|another place}: the code is moved to v2.',
  remedy:
    'See that {name|it} is set to this service wherever this runs, and to {value|the base of v2} at the same time as the new code where its value has the version.',
};

/** Of the default of a form that people fill in, which a platform keeps: of a key's credentials, with the address that they are for. */
const ofSaved: CaseWording = {
  title: 'The default of an address moves that people have saved with their credentials',
  reason: `The default is moved to v2; whoever has saved an address of v1 with the credentials keeps it, and asks v1 with the header of v2 from now on, which answers 401.`,
  remedy:
    'Tell whoever updates to set {value|the base of v2} in the credentials, as with a major release; or let the code take the version off what was saved, and put that of v2 there.',
};

/** Of what whoever uses an action, or starts a workflow, may give in the place of a default that moves. */
const ofInput: CaseWording = {
  title: 'The default of an input moves, and others may give it another value',
  reason: 'Whoever gives this input an address of v1 has that asked with the header of v2 from now on.',
  remedy: `Tell whoever uses it to give the base of v2, as with a major release; ${orIgnore}.`,
};

/** Of what such a variable is on a developer's machine, or in a test. */
const ofLocal: CaseWording = {
  reason:
    '{name|The variable} is set to {host|a server of your own} here, by a path of v1, and the code that reads it is moved to v2: it asks that server so, too.',
  remedy: `If that server stands in for the service, write the path here as v2 has it, and let the server answer v2; ${orIgnore}.`,
};

/** Of what it is declared to be, which sets nothing. */
const ofType: CaseWording = {
  title: 'The type of a variable speaks of v1',
  reason: '{name|The variable} is of this type, and the code that reads it is moved to v2: no address of v2 is of it.',
  remedy: `Write it as v2 has it; ${orIgnore}.`,
};

/** Of what code asks on a developer's machine in the place of the service. */
const ofStage: CaseWording = {
  title: 'A server of your own gets calls that are moved',
  reason:
    'Where the program is configured so, what is moved asks {host|a server of your own} in the place of the service: by v2 from now on.',
  remedy: `Let that server answer v2, too; ${orIgnore}.`,
};

/** Of what else asks such a server. */
const ofOthersAtStage: CaseWording = {
  title: 'Asks by v1 a server of your own that gets calls of v2',
  reason: 'It asks {host|a server of your own} by a path of v1, where code that is moved asks the same server by v2 from now on.',
  remedy: `If that server stands in for the service, write path and header here as v2 has them; ${orIgnore}.`,
};

/** Of a host that something else says than what is seen here. */
const ofOtherHost: CaseWording = {
  title: 'Another host may get calls that are moved',
  reason: `What is moved asks this service unless {name|this} says another host: that is asked by v2 then, too, and gets the key as a ${v2Auth.scheme} token.`,
  remedy: `If it is this service all the same, see that it has v2 there; if it is another, give it a client of its own; ${orIgnore}.`,
};

/** Of a key that people set in a program, where two hosts get it. */
const ofSharedKey: CaseWording = {
  title: 'Another host gets the same key as calls that are moved',
  reason: `{name|The key} is sent to {host|another host} here, and as a ${v2Auth.scheme} token to this service where calls are moved: whoever sets another key for v2 sets it for both.`,
  remedy: `If that host is this service, too, run again with --v1-base {base|URL} beside the others; if it is another, see that each of them still gets its own key; ${orIgnore}.`,
};

/** Of what people copy to configure a program. */
const ofSample: CaseWording = {
  title: 'A sample of settings is of v1',
  reason: 'What is moved reads {name|it} from files like this one, and asks by what stands there: by v1, with the header of v2.',
  remedy: `Write it as v2 has it, and tell whoever has a copy to do so; ${orIgnore}.`,
};

/** Of an example that stands for its copies, which are in nobody's repository. */
const ofExample: CaseWording = {
  title: 'People have a copy of this example',
  reason: 'What is moved reads {name|a copy of this file}, which is not among these files, and is changed only here.',
  remedy: 'Change the same in {name|each copy} wherever the program runs, at the same time as the new code.',
};

/** Of a location of a server in front that has another path then. */
const ofPath: CaseWording = {
  title: 'A path of your own server moves',
  reason:
    'Calls that are moved ask for v2 here in the place of {path|a path of v1}: whoever else asks for that, such as builds that are out and other applications, finds nothing any more.',
  remedy: 'Keep a location for {path|it} beside this one, which leads to the same, until nobody asks for it.',
};

/** Of what another program than the one that is moved is given under the same name. */
const ofProgram: CaseWording = {
  title: 'Gives a base of v1 to a program that somebody else made',
  reason:
    '{name|The variable} is set for {program|a program} here, which is not of these files: what it sends to an address of v2 is not known, so it keeps that of v1.',
  remedy: `If it knows v2, write its base here and give it its key as it wants it; if it is a program of yours, do so together with that; ${orIgnore}.`,
};

/** Of what sets such a variable in a way that was not followed. */
const ofUnread: CaseWording = {
  title: 'May set a variable to v1 that code on v2 reads',
  reason: '{name|The variable} is given a value here in a way that was not followed, and the code that reads it is moved to v2.',
  remedy: `See that it says v2 from now on, whatever it is put together of; ${orIgnore}.`,
};

/** Of another host that people, or tests, set such a variable to. */
const ofHostSet: CaseWording = {
  title: 'Sets a variable to v1 at another host, and code on v2 reads it',
  reason: `{name|The variable} is set to {host|another host} here, by a path of v1, and the code that reads it is moved to v2: it asks that host by v1, with the header of v2.`,
  remedy: `If that host is of this service, too, write the address here as v2 has it, or run again with its --v1-base beside the others; ${orIgnore}.`,
};

/** By `detail.how`. */
const settings: Readonly<Record<string, CaseWording>> = {
  path: ofPath,
  program: ofProgram,
  sample: ofSample,
  example: ofExample,
  default: ofDefault,
  same: ofSameVariable,
  input: ofInput,
  local: ofLocal,
  type: ofType,
  stage: ofStage,
  beside: ofOthersAtStage,
  other: ofOtherHost,
  key: ofSharedKey,
  unread: ofUnread,
  host: ofHostSet,
};

/** What is told of `env-elsewhere`. */
export const settingsCase = ({ how = '', name = '' }: Readonly<Record<string, string>>): Partial<CaseWording> =>
  how === 'default' && name.startsWith('$credentials.') ? ofSaved : (settings[how] ?? {});
