/** What is posted to a webhook, by what the webhook takes. */
import type { PostKind } from '../../config/report-formats.ts';
import type { Digest } from './model.ts';
import { slackMessage } from './slack.ts';
import { teamsMessage } from './teams.ts';

/** Hosts of webhooks, or the ends of them. */
const hosts: readonly (readonly [host: RegExp, kind: PostKind])[] = [
  [/^hooks\.slack(?:-gov)?\.com$/, 'slack'],
  // Workflows of Teams, whose addresses have moved from the first to the second.
  [/\.logic\.azure\.(?:com|us)$/, 'teams'],
  [/\.api\.(?:[a-z]+\.)?powerplatform\.(?:com|us)$/, 'teams'],
  [/\.webhook\.office\.com$/, 'teams'],
];

/** What a webhook takes, as far as its host tells. */
export const kindOf = (url: URL): PostKind => hosts.find(([host]) => host.test(url.hostname))?.[1] ?? 'json';

const payloads = { slack: slackMessage, teams: teamsMessage, json: (digest) => digest } as const satisfies Readonly<
  Record<PostKind, (digest: Digest) => object>
>;

/** The body of the request, in JSON. */
export const payloadOf = (digest: Digest, kind: PostKind): string => JSON.stringify(payloads[kind](digest));
