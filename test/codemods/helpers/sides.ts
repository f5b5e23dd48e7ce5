/** The same code on both versions: before it is migrated on v1, after it on v2, with what each was asked. */
import { Executor, stripTypes } from './execute.ts';
import type { FixtureRun } from './fixtures.ts';
import { type Identity, type Recorded, type Service, startService } from './service.ts';

/** For bases that are named by an environment variable. */
export const usualHost = 'api.example.com';

/** A service with both versions, and what asks it: the same code on one version after the other, as each loads what it is made of. */
export interface Side {
  readonly service: Service;
  readonly executor: Executor;
}

export interface Ran {
  readonly outcome: unknown;
  readonly recorded: readonly Recorded[];
}

export const startSide = async (identity: Identity): Promise<Side> => ({
  service: await startService(identity),
  executor: new Executor(),
});

export async function stopSide({ service, executor }: Side): Promise<void> {
  await Promise.all([executor[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
}

/** Runs what lies in `sources`, whose types are taken off there. `hosts` are the names under which it finds the service. */
export async function runOn(
  { service, executor }: Side,
  { entry, browser = false }: FixtureRun,
  { sources, hosts, identity }: { readonly sources: string; readonly hosts: readonly string[]; readonly identity: Identity },
): Promise<Ran> {
  const tidy = stripTypes(sources);
  service.restart();
  const outcome = await executor.execute({
    entry: `${sources}/${entry}`,
    tidy,
    key: service.key,
    hosts: [usualHost, ...hosts],
    port: service.port,
    authority: identity.cert,
    ...(browser && { page: `https://${hosts.at(0) ?? usualHost}/app` }),
  });
  return { outcome, recorded: service.recorded() };
}

/** What the program did on v1, in v2's way, and what it did on v2: equal where v2 was asked for the same with its key, and the program saw no difference. */
export function compared(
  before: Ran,
  after: Ran,
  { mocked = false }: FixtureRun,
  key: string,
): { readonly expected: unknown; readonly actual: unknown } {
  const outcomes = [{ outcome: modulo(before.outcome) }, { outcome: modulo(after.outcome) }];
  if (mocked) return { expected: outcomes[0], actual: outcomes[1] };
  const [asked, askedAfter] = [inOrder(before), inOrder(after)];
  const signatures = askedAfter.map(signature);
  const authorized = signatures.some(({ authorization }) => authorization === `Bearer ${key}`);
  return {
    expected: { ...outcomes[0], exchanges: exchanges(asked), signatures: asked.map(translated), authorized: true },
    actual: { ...outcomes[1], exchanges: exchanges(askedAfter), signatures, authorized },
  };
}

/** What a program asks at the same time arrives in any order: both runs are put into one. */
const inOrder = ({ recorded }: Ran): readonly Recorded[] => {
  const said = new Map(recorded.map((each) => [each, JSON.stringify(modulo(each.exchange))]));
  return recorded.toSorted((one, other) => ((said.get(one) ?? '') < (said.get(other) ?? '') ? -1 : 1));
};
const exchanges = (recorded: readonly Recorded[]): unknown => recorded.map(({ exchange }) => modulo(exchange));
const signature = ({ version, apiKey, authorization }: Recorded) => ({ version, apiKey, authorization });
/** How v2 is to be asked what v1 was asked: not in v1's way, and in no other. */
function translated({ version, apiKey, authorization }: Recorded) {
  if (version !== 'v1' || authorization !== undefined) throw new Error('What is not migrated yet asked v2');
  return { version: 'v2', apiKey: undefined, authorization: apiKey && `Bearer ${apiKey}` };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Without what differs between the versions: the paths that outcomes speak of, and what hosts are called. Nor do two runs make the same UUID. */
function modulo(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null';
  return JSON.parse(
    text
      .replaceAll(/https:\/\/[a-z0-9.-]*example\.com/g, 'https://service')
      .replaceAll(/\bv[12]\//g, '')
      .replaceAll(uuid, 'uuid'),
  );
}
