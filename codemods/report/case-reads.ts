/** What is told of code that reads, takes away or adds a header, in the case at hand. */
import { bearer, v1Auth, v2Auth } from '../../src/contract/auth.ts';
import { type CaseWording, orIgnore } from './shared-wording.ts';

/** Of a key that a mock reads, and does more with than to compare it. */
const ofMock: CaseWording = {
  reason: `What a mock reads of the key here goes on to where nobody can tell what it has to be: of a call on v2 it begins with ${v2Auth.scheme}.`,
  remedy: `Let what gets it expect ${bearer('<key>')}; ${orIgnore}.`,
};

/** Of what a test expects that is the key in it, where a mock answers with what it reads. */
const ofEcho: CaseWording = {
  reason: `It is the key of calls that are moved, and a mock hands on what it reads of it: of a call on v2 that begins with ${v2Auth.scheme}.`,
  remedy: `If it comes from there, expect ${bearer('<key>')}; ${orIgnore}.`,
};

/** Of what a test says that a call does not have. */
const ofDenial: CaseWording = {
  title: `Expects a call without ${v2Auth.fieldName}`,
  reason: `Calls that are moved to v2 have it: of one of these, what is expected here is no longer so.`,
  remedy: `Where it is about such a call, expect the same of ${v1Auth.field}; ${orIgnore}.`,
};

/** Of what is expected of a call of another service. */
const ofDenialElsewhere: CaseWording = {
  title: `Expects a call of another service without ${v1Auth.field}`,
  reason: `Calls that are moved to v2 send their key as ${v2Auth.fieldName}: that it is kept from there, this does not show any more.`,
  remedy: `Expect that the call has no ${v2Auth.fieldName} either, or none with this key; ${orIgnore}.`,
};

/** Of what takes the header away, or goes by it, where the key stands from now on. */
const ofTaking: CaseWording = {
  title: `Takes ${v2Auth.fieldName} away, or goes by it`,
  reason: `Calls that are moved to v2 have their key in it: what passes here is sent without one and answered 401, or is taken for a call with a session.`,
  remedy: `Leave it to calls of this service, or see that none of them passes here; ${orIgnore}.`,
};

/** Of what reads the header where the key stands from now on, as that of a session. */
const ofAsking: CaseWording = {
  title: `Reads ${v2Auth.fieldName} of calls that get it`,
  reason: `Calls that are moved to v2 have their key in it, and had none in it before: what is done here for a call with a session, or without one, is done otherwise for them from now on, and what shows it shows the key.`,
  remedy: `See what it does for calls of this service, and tell them apart where that is wrong; ${orIgnore}.`,
};

/** Of what stands in for v1, which takes no token. */
const ofRefusal: CaseWording = {
  title: `Refuses a call with ${v2Auth.fieldName}`,
  reason: 'What it stands in for is v2 from now on: calls that are moved have it, and are refused here.',
  remedy: `Take the check out, or ask for ${v1Auth.field} in it; ${orIgnore}.`,
};

/** Of a list of what is let through. */
const ofList: CaseWording = {
  title: `Lets ${v1Auth.field} through, and not ${v2Auth.fieldName}`,
  reason: `Calls that are moved to v2 send their key as ${v2Auth.fieldName}: where they pass here, it is left out or refused, as this list does not have it.`,
  remedy: `If such calls pass here, add ${v2Auth.fieldName}, in small letters where letters count; ${orIgnore}.`,
};

/** Of a list of what traces keep. */
const ofTraces: CaseWording = {
  title: `Keeps ${v1Auth.field} in traces`,
  reason: `Calls that are moved to v2 send their key as ${v2Auth.fieldName}: traces have nothing of it any more, and what looks for it there finds none.`,
  remedy: `See what the traces are asked for, and that no key comes into them; ${orIgnore}.`,
};

/** Of what stands in the place of all that sends requests. */
const ofAdding: CaseWording = {
  title: `May send a ${v2Auth.fieldName} of its own with every request`,
  reason: `It stands in the place of what sends requests, those of moved calls, too: where it adds a session, v2 gets that beside the key or in its place, and answers 401.`,
  remedy: `Leave out the requests to this service; ${orIgnore}.`,
};

/** Of headers that arrive and are sent on, where the header of v1 took the place of theirs. */
const ofForwarding: CaseWording = {
  title: `Sends on the ${v1Auth.field} of who asks`,
  reason: `The key took its place as long as it was sent as ${v1Auth.field}: from now on, theirs goes to v2 as it came, beside the key.`,
  remedy: `Take ${v1Auth.field} out of what is sent on, if who asks may send one; ${orIgnore}.`,
};

/** Of what hands it on beside all other headers of a call. */
const ofHandedOn: CaseWording = {
  title: `Hands on the ${v1Auth.field} of calls that have one`,
  reason: `Calls that are moved to v2 send their key as ${v2Auth.fieldName}, which goes on by itself as all headers do: this is only for those that are still on v1, and sends nothing for the others.`,
  remedy: `Take it out once nothing that comes through here is on v1; ${orIgnore}.`,
};

/** By `detail.how` of `reads-header`. */
export const reads: Partial<Record<string, CaseWording>> = {
  passed: ofMock,
  echoed: ofEcho,
  denied: ofDenial,
  elsewhere: ofDenialElsewhere,
  taken: ofTaking,
  asked: ofAsking,
  refused: ofRefusal,
  listed: ofList,
  traced: ofTraces,
  added: ofAdding,
  forwarded: ofForwarding,
  'handed on': ofHandedOn,
};

/** Of what a test sees refused. */
export const ofRefused: CaseWording = {
  title: `A test expects that a ${v2Auth.scheme} token is refused`,
  reason: `v1 answers this with 401, as the test expects; v2 reads the key from ${v2Auth.fieldName}, and may let it in.`,
  remedy: `Expect of v2 what it does – that it refuses ${v1Auth.field}, say –, and change the call by hand; or drop the test with v1; ${orIgnore}.`,
};
