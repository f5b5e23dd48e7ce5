/** `migrate-v2 report --digest`: what is new since a week ago, written or posted. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostKind } from '../../config/report-formats.ts';
import type { Settings } from '../../config/settings.ts';
import { buildDigest } from '../../report/digest/build.ts';
import { digestMarkdown } from '../../report/digest/markdown.ts';
import { digestInTerminal } from '../../report/digest/terminal.ts';
import type { Digest } from '../../report/digest/model.ts';
import { kindOf, payloadOf } from '../../report/digest/payloads.ts';
import type { Verdict } from '../../report/verdict-model.ts';
import { dateOf } from '../../report/text/figures.ts';
import { json, plain } from '../../text/escape.ts';
import { openReader } from '../../usage/store/open.ts';
import { hasColors } from '../colors.ts';
import { toFile, toStdout } from '../output.ts';
import { packageJson } from '../package-json.ts';
import { stdoutWidth } from '../width.ts';
import { type Clock, post } from './post.ts';

const clock: Clock = {
  now: Date.now,
  pause: (milliseconds) => sleep(milliseconds),
  random: Math.random,
  timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
};

const names = { slack: 'Slack', teams: 'Teams', json: 'the webhook, as JSON' } as const satisfies Record<PostKind, string>;

/**
 * Makes the digest, writes it to stdout or the file of `--out`, and posts it; where it is only posted, nothing of it is written.
 * @param mode the rights that the file gets
 * @returns the verdict, and whether the digest was posted as the settings say
 * @throws ConfigError, StoreError
 */
export async function runDigest(
  { store, workspace: workspaces, owner: owners, ...settings }: Settings<'report'>,
  mode: number,
): Promise<{ readonly verdict: Verdict['state']; readonly isPosted: boolean }> {
  const { out } = settings;
  const reader = await openReader(store);
  const { digest } = await buildDigest(reader, { ...settings, of: { workspaces, owners }, now: Date.now() }).finally(() => reader.close());
  const pieces = [written(digest, settings)];
  if (out !== undefined) {
    await toFile(out, pieces, mode);
    console.error(`Wrote ${plain(out)}`);
  } else if (settings.post === undefined) await toStdout(pieces);
  return { verdict: digest.verdict.now, isPosted: await posted(digest, settings) };
}

/** Nobody reads Markdown in a terminal, unless it was asked for. */
function written(digest: Digest, { format, out }: Pick<Settings<'report'>, 'format' | 'out'>): string {
  if (format === 'json') return json(digest);
  if (format === 'markdown' || out !== undefined || !process.stdout.isTTY) return digestMarkdown(digest);
  return digestInTerminal(digest, { width: stdoutWidth(), color: hasColors(process.stdout) });
}

async function posted(
  digest: Digest,
  { post: address, postAs, postIf }: Pick<Settings<'report'>, 'post' | 'postAs' | 'postIf'>,
): Promise<boolean> {
  if (address === undefined) return true;
  if (postIf === 'changed' && !digest.changed) {
    console.error(`Nothing new since ${dateOf(digest.week.since)}: not posted`);
    return true;
  }
  const url = new URL(address);
  const kind = postAs ?? kindOf(url);
  const result = await post(url, payloadOf(digest, kind), clock);
  console.error(
    result.posted ? `Posted the digest to ${names[kind]}` : `${packageJson.name}: --post: the digest was not posted: ${result.problem}`,
  );
  return result.posted;
}
