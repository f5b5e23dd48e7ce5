/** Commands to paste, made from the contract. */
import { bearer, v1Auth, v2Auth } from '../contract/auth.ts';
import { type Endpoint, v1Endpoints, v2Endpoints } from '../contract/endpoints.ts';
import { channels } from '../contract/fields.ts';

const message = { channel: channels[1], to: '+15550100', content: 'Hello' };

const versions = {
  v1: { endpoints: v1Endpoints, credentials: (key: string) => `${v1Auth.field}: ${key}` },
  v2: { endpoints: v2Endpoints, credentials: (key: string) => `${v2Auth.field}: ${bearer(key)}` },
};

/**
 * Two commands for a terminal: one that sends a message and one that lists contacts.
 * @param url where the service listens
 * @param key of the demo workspace, with write access
 */
export function curls(version: keyof typeof versions, url: string, key: string): readonly string[] {
  const { endpoints, credentials } = versions[version];
  const curl = ({ method, path, body }: Endpoint, content?: object): string => {
    const json = content === undefined ? '' : ` ${jsonBody(content)}`;
    return `curl ${body === 'none' ? '' : `-X ${method} `}${url}${path} -H '${credentials(key)}'${json}`;
  };
  return [curl(endpoints.sendMessage, message), curl(endpoints.listContacts)];
}

const jsonBody = (content: object): string => `-H 'Content-Type: application/json' -d '${JSON.stringify(content)}'`;

/** Two commands for the control surface of the sandbox: one lets a message arrive, one turns the clock. */
const controlCurls = (adminUrl: string): readonly string[] => [
  `curl ${adminUrl}/workspaces/demo/inbound ${jsonBody({ from: message.to, text: message.content })}`,
  `curl ${adminUrl}/clock/advance ${jsonBody({ by: '1h' })}`,
];

/** The keys of the demo workspace. */
export const demoKeys = ({ readWriteKey, readOnlyKey }: { readonly readWriteKey: string; readonly readOnlyKey: string }): string =>
  section('Demo keys', [`read & write  ${readWriteKey}`, `read only     ${readOnlyKey}`]);

/** The control surface of a sandbox. */
export const controlSurface = (adminUrl: string): string =>
  section('The control surface of the sandbox (docs/sandbox.md lists it)', controlCurls(adminUrl));

/** A heading with lines below it, for stderr: stdout holds the log alone. */
export const section = (heading: string, lines: readonly string[]): string =>
  [`${heading}:`, ...lines.map((line) => `  ${line}`), ''].join('\n');
