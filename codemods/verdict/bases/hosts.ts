/** What the name of a host says of who answers there. */
import type { SourceText } from '../../evaluate/values/source-text.ts';
import { replacesNetwork } from '../../clients/testing/libraries.ts';

/** The machine itself, and names that nobody can have (RFC 6761). */
const loopback = /^(?:(?:[\w-]+\.)*(?:localhost|test|invalid)|127(?:\.\d+){3}|0\.0\.0\.0|\[::1?\])(?::|$)/i;

/** Names that are reserved for examples (RFC 2606), and those that a network of its own has at most: without a dot, or of multicast DNS (RFC 6762). */
const reserved = /(?:^|\.)(?:example|example\.(?:com|net|org))(?::|$)/i;
const unqualified = /^(?:[\w-]+|[\w.-]+\.local)(?::|$)/i;

/** Whether a host is a name that nobody can have. */
export const isNobodys = (host: string): boolean => /(?:^|\.)(?:test|invalid)(?::|$)/i.test(host) || reserved.test(host);

/** … and what tests call hosts that nobody answers for. */
const saysSo = /(?:^|[.-])(?:invalid|non-?existent|does-?not-?exist|not-?found|unreachable|nowhere)(?:[.-]|$)/i;

/**
 * Whether a host that a test names is made up for it: where the service itself has such a name, others may be as real.
 * @param bases where the service is
 */
export const isMadeUp = (host: string, bases: readonly string[]): boolean =>
  isLoopback(host) ||
  [reserved, unqualified, saysSo].some((names) => names.test(host) && !bases.some((base) => names.test(new URL(base).host)));

/** What the last two names of a host say whose it is, near enough to doubt. */
export const domainOf = (host: string): string => host.replace(/:\d+$/, '').split('.').slice(-2).join('.');

/** What tests write for any host, and somebody may have. */
const placeholder = /^(?:[\w-]+\.)*(?:test(?:ing)?|mock(?:ed)?|fake|dummy|foo|bar|baz|foobar)\.(?:com|org|net|io|dev)$/i;

/**
 * Whether a host that a test names is nobody else who is asked: it is made up, or, where the test has something in the place of the network, a name that
 * stands for any host or another of the service's own, as one of a region is.
 */
export const isForTest = (host: string, { text }: Pick<SourceText, 'text'>, bases: readonly string[]): boolean =>
  isMadeUp(host, bases) ||
  (replacesNetwork(text) &&
    bases.every((base) => !placeholder.test(new URL(base).host)) &&
    (placeholder.test(host) || bases.some((base) => isBesideIt(host, new URL(base).host))));

const isBesideIt = (host: string, ours: string): boolean =>
  host !== ours && `.${withoutPort(host)}`.endsWith(`.${ownedWith(withoutPort(ours))}`);

const withoutPort = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

/** Ends of names below which anybody has one: second levels of countries, and what serves the programs of many. */
const ofCountry = /\.(?:co|com?|org?|net?|gov|gob|go|ac|edu|ltd|plc|nom|web|firm|gen|ind|mil)\.[a-z]{2}$/;
const ofMany = new RegExp(
  String.raw`\.(?:${[
    'amazonaws|cloudfront|elasticbeanstalk|awsapprunner|azurewebsites|azure-api|azurefd|azureedge|azurecontainerapps|cloudapp|windows|trafficmanager',
    'herokuapp|appspot|cloudfunctions|run|web|firebaseapp|withgoogle|googleapis|vercel|now|netlify|pages|workers|fly|deno|onrender|render|railway',
    'ondigitalocean|digitaloceanspaces|github|gitlab|githubusercontent|gitpod|stackblitz|codesandbox|csb|glitch|repl|replit|surge|cyclic|b4a|koyeb',
    'ngrok|ngrok-free|loca|localtunnel|trycloudflare|supabase|hasura|rapidapi|apigee|cloudhub|apim|mulesoft|zendesk|myshopify|salesforce|atlassian',
    'sharepoint|service-now|okta|auth0|force|hubspot|freshdesk|pythonanywhere|platformsh|platform|clever-cloud|cleverapps|scalingo|northflank|stoplight|mockapi|beeceptor|webhook',
  ].join('|')})\.[a-z]+$`,
);

/** The end of a host's name that its owner has to itself, near enough. */
const ownedWith = (host: string): string =>
  ofMany.test(`.${host}`)
    ? host
    : host
        .split('.')
        .slice(ofCountry.test(host) ? -3 : -2)
        .join('.');

/** Whether a host is the machine itself, or no host at all, with any port. */
export const isLoopback = (host: string): boolean => loopback.test(host);

/** Names without a dot are those of containers and of the machine itself. */
export function isLocal(host: string): boolean {
  const name = host.replace(/:\d+$/, '');
  return !name.includes('.') || /^(?:127\.|10\.|192\.168\.|0\.0\.0\.0$)|\.(?:local|localhost|internal|test)$/.test(name);
}

/** Whether a host is of a network of its own, and no container or the machine itself: who answers there may be another service. */
export const isOfOwnNetwork = (host: string): boolean =>
  isLocal(host) &&
  host.includes('.') &&
  !/^(?:(?:[\w-]+\.)*localhost|127(?:\.\d+){3}|0\.0\.0\.0|(?:host|gateway)\.docker\.internal)(?::|$)/i.test(host);

/** A base with the port that goes without saying, as nock lists what it waits for: `GET https://api.example.com:443/v1/contacts`. */
export function withPort(base: string): string {
  const { protocol, host, port } = new URL(base);
  return port === '' ? base.replace(`//${host}`, `//${host}:${protocol === 'http:' ? 80 : 443}`) : base;
}
