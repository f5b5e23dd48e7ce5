/** What is said of a base that is not known. */
import { bearer, v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { Finding } from '../model.ts';
import { allowIt, type CaseWording, orIgnore } from './shared-wording.ts';

/**
 * What shares a header or a part of its address with calls of ours, no comment takes apart, and nothing is to be edited
 * of an address that does not name its version.
 */
export function remedyOfBase(detail: Finding['detail']): string {
  // What a parameter of a deployment is called is no name of a variable.
  const ofVariable = /\s/.test(detail['env'] ?? '') ? '' : ', or --v1-base env:{env|NAME} for a variable';
  const nameIt = `If it is this service, name its base: --v1-base {base|URL}${ofVariable}`;
  const otherwise = Object.hasOwn(detail, 'holds') ? 'if it is another, give it a client or headers of its own and run again' : orIgnore;
  return `${[nameIt, ...(detail['allow'] === 'yes' ? [`or ${allowIt}`] : []), otherwise].join('; ')}.`;
}

/** Of a header that a test expects of one of the calls that it runs. */
const ofExpectedCall: CaseWording = {
  title: `A test expects ${v1Auth.field} of a call, and nobody can tell of which`,
  reason:
    'It may be about a call of {route|this service} or about one of another, as the test runs both and does not name the address of this one.',
  remedy: `If it is a call that is moved, expect ${v2Auth.fieldName}: ${bearer('<key>')}; or have the test pick the call by its whole address and run again; ${orIgnore}.`,
};

/** Of an address such as `https:api.example.com/v1/contacts`. */
const ofNoSlashes: CaseWording = {
  title: 'Looks like a call of v1, but its address has no slashes behind the scheme',
  reason:
    'A program that Node runs asks {host|this service} by it, as if the slashes were there; a page asks its own server, and other clients fail: whose call it is depends on who runs it.',
  remedy: `If {host|this service} is meant, write https:// before it and run again; ${orIgnore}.`,
};

const ofGivenVariable =
  '{route|It} looks like v1, but other services have the same paths and the same header; without knowing what {env|the variable} is at {at|another place}, nothing is changed.';

/** Of a call of which nothing but its header is known. */
const ofHeaderAlone = `It sends ${v1Auth.field} to an address that is not known here: v1 has that header, and so have other services; without a known base nothing is changed.`;

/** Of a client of ours that is made once more. */
const ofInstance =
  "The client of this service is made here with what {env|a variable} says as its base: if that is another service, it would be asked for paths of v2 and get its key in v2's way.";

export function baseCase(detail: Finding['detail']): Partial<CaseWording> {
  if (detail['how'] === 'expected') return ofExpectedCall;
  if (detail['how'] === 'slashes') return ofNoSlashes;
  if (detail['how'] === 'header') return { reason: ofHeaderAlone, remedy: remedyOfBase(detail) };
  if (detail['how'] === 'instance')
    return { title: 'A client of v1 is made with a base that is not known', reason: ofInstance, remedy: remedyOfBase(detail) };
  return { remedy: remedyOfBase(detail), ...(Object.hasOwn(detail, 'at') && { reason: ofGivenVariable }) };
}
