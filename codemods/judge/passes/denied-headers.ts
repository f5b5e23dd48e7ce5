/** Tests that expect a call to have no Authorization: once calls are on v2 they have one, and these fail. */
import { v2Auth } from '../../../src/contract/auth.ts';
import { anyOf, cases } from '../../clients/testing/declared-tests.ts';
import { isTest } from '../../evaluate/libraries/test-files.ts';
import type { Finding, Plan } from '../../model.ts';
import { positionsOf } from '../../syntax/position.ts';
import { byPlace } from '../merge.ts';

const { field } = v2Auth;
const named = String.raw`(?:['"\`]${field}['"\`]|\.${field}\b)`;
const nothing = String.raw`(?:false|null|undefined)\b`;
const denied = new RegExp(
  [
    // `expect(headers.get('authorization')).toBeNull()`, `expect(headers.has('authorization')).to.be.false`
    String.raw`\bexpect\([^;]{0,120}?${named}[^;]{0,20}?\)\s*\.(?:(?:toBe|toEqual|toStrictEqual)\(\s*${nothing}|toBe(?:Null|Undefined|Falsy|False)\b|not\s*\.(?:toBe\(\s*true|toBe(?:Defined|Truthy|True)\b)|to\.(?:not\.exist|be\.${nothing}|(?:eql?|equal)\(\s*${nothing}))`,
    // `expect(headers).not.toHaveProperty('authorization')`, `.to.not.have.property('authorization')`
    String.raw`\.(?:not\.to|to\.not|not)\.(?:have\.|toHave)[pP]roperty\(\s*${named}`,
    String.raw`\bnot\.objectContaining\(\s*\{[^{}]{0,80}\b${field}\b`,
    // `assert.equal(headers.authorization, undefined)`, `assert.ok(!headers.has('authorization'))`
    String.raw`\b(?:assert(?:\.\w+)?|t\.\w+)\([^;]{0,80}?${named}[^;()]{0,20}\)?,\s*${nothing}`,
    String.raw`\bassert(?:\.ok)?\(\s*![^;]{0,80}?${named}`,
    // nock lets no call with one of these pass.
    String.raw`\bbadheaders\b[^\]]{0,80}${named}`,
  ].join('|'),
  'gi',
);

/**
 * @param components the files that hang together by imports
 * @param isOthers whether an address is that of another service
 */
export function withDeniedHeaders<P extends Pick<Plan, 'edits' | 'findings'>>(
  plan: P,
  components: readonly (readonly { readonly file: string }[])[],
  isOthers: (address: string) => boolean,
  textIn: (file: string) => string,
): P {
  const moved = new Set(plan.edits.flatMap(({ what, file }) => (what === 'header name' ? file : [])));
  const beside = components.filter((files) => files.some(({ file }) => moved.has(file))).flat();
  const tests = new Set(beside.flatMap(({ file }) => (isTest({ file }) ? file : [])));
  const findings = [...tests].flatMap((file) => {
    const text = textIn(file);
    return deniedIn(file, text, isOthers);
  });
  return findings.length === 0 ? plan : { ...plan, findings: [...plan.findings, ...findings].toSorted(byPlace) };
}

function deniedIn(file: string, text: string, isOthers: (address: string) => boolean): Finding[] {
  const position = positionsOf(text);
  return Array.from(text.matchAll(denied)).flatMap(({ index: start, 0: { length } }): Finding[] => {
    const addresses = testAround(text, start).match(/https?:\/\/[^/\s'"`]+/g) ?? [];
    if (addresses.length > 0 && addresses.every(isOthers)) return [];
    return [{ code: 'reads-header', file, start, end: start + length, ...position(start), detail: { how: 'denied' } }];
  });
}

const beginning = new RegExp(String.raw`^[ \t]*${anyOf(cases)}\b[^\n]*\(`, 'gm');

/** From where a test begins to where the next one does. */
function testAround(text: string, at: number): string {
  const begins = Array.from(text.matchAll(beginning), ({ index }) => index);
  return text.slice(
    begins.findLast((begin) => begin <= at) ?? 0,
    begins.find((begin) => begin > at),
  );
}
