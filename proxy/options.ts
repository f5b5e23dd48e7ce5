/** What the proxy is told. Durations are in milliseconds, sizes in bytes; src/config fills in the defaults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Assumptions } from '../src/contract/assumptions.ts';
import type { LedgerStore } from '../src/budget/ledger-store.ts';
import type { Ledger } from '../src/budget/ledger.ts';
import type { Budget } from '../src/budget/policy.ts';
import type { V1EndpointId } from '../src/contract/endpoints.ts';
import type { LiveRoad } from '../src/rollout/in-force.ts';
import type { RolloutRules } from '../src/rollout/rules.ts';
import type { IgnoreRule } from '../src/usage/ignored.ts';
import type { Use } from '../src/usage/use.ts';
import type { RecordState, UsageRecorder } from '../src/usage/usage-recorder.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import type { Workspace } from '../src/usage/workspaces.ts';
import type { Timers } from './budget/waiting.ts';
import type { Baseline, Ending } from './guards.ts';
import type { KeyMap } from './keys/key-map.ts';
import type { Notes } from '../src/usage/store/notes.ts';
import type { Writes } from './reuse/writes.ts';
import type { MappingConfig } from './mappings.ts';

/** What the proxy needs of the record. */
export interface UsageRecord extends Pick<UsageRecorder, 'addComparison' | 'addSkipped' | 'note' | 'steps'> {
  /**
   * @param product by which clients are told apart; undefined where the call is no use of v1
   * @param call of which `answering` has told, if it has
   */
  add(use: Use, product?: string, call?: object): void;
  /**
   * Is told what there is to record of a call to v1 before the last of its answer leaves, where the process may be killed behind it and the record
   * lives on. `add` follows.
   */
  answering?(use: Use, product: string, call: object): void;
}

/** A record that this process keeps itself. */
export interface OwnRecord extends UsageRecord {
  readonly state: RecordState;
}

export interface ProxyOptions {
  /** Base address of v2, without `/v2`; a path in it comes before `/v2` in every request. */
  readonly v2Base: string;
  /** Base address of v1, without `/v1`; only where a roll-out sends calls there. */
  readonly v1Base?: string | undefined;
  /** Which calls v1 answers, are compared, translated or refused; without it, all are translated. */
  readonly rollout?: RolloutRules | undefined;
  /** What v1 gave each workspace before this process began, for the guards of the roll-out. */
  readonly baseline?: Baseline | undefined;
  /** Counts how calls end in place of this process's own guards, where it is one of several. */
  readonly guard?: ((ending: Ending) => void) | undefined;
  /** Names of the proxies of this record: one that starts while its store is away takes the part of one of them. */
  readonly replicas?: readonly string[] | undefined;
  /** The name of this proxy in the record. */
  readonly replica?: string | undefined;
  /** How the hour that v2 allows a workspace is spent. */
  readonly budget: Budget;
  /** Who gives out the places of that hour, where proxies share it; without one, the proxy itself. */
  readonly ledger?: Ledger | undefined;
  /** The store through which proxies share it, where no ledger is given. */
  readonly ledgerStore?: LedgerStore | undefined;
  /** Through which they tell each other what they write. */
  readonly notes?: Notes | undefined;
  /** What proxies that share it write, as they tell each other; without it, nothing is used again where there are several. */
  readonly writes?: Writes | undefined;
  readonly logger: Logger;
  readonly assumptions: Assumptions;
  /** Secret of the keyed hash under which keys appear in the log. */
  readonly hashSecret: string;
  /** The name of this proxy in Via, where v1 is asked; without it, the one that all have. */
  readonly viaName?: string | undefined;
  /** v1 keys to v2 keys; without it, every key is its own v2 key. */
  readonly keyMap?: KeyMap | undefined;
  readonly mappings: MappingConfig;
  /** Query parameters to rename, per endpoint: v1 name to v2 name. */
  readonly queryRenames: QueryRenames;
  /** Where v1 calls are recorded; without it they are only logged and counted. */
  readonly usage?: UsageRecord | OwnRecord | undefined;
  /** What tells a collector of OpenTelemetry. */
  readonly telemetry?: Pick<Telemetry, 'follow' | 'add'> | undefined;
  /** Whose keys are whose. */
  readonly workspaces: readonly Workspace[];
  /** Calls that count as nobody's in a report; the record names their clients, so that it can tell. */
  readonly ignore: readonly IgnoreRule[];
  /** Header that tells clients apart besides key and User-Agent, in lower case. */
  readonly clientHeader?: string | undefined;
  /** Clients that get metrics of their own. */
  readonly metricsClients: number;
  /** Client products, besides the well-known ones, that the log may name. */
  readonly clients: readonly string[];
  /** PEM of further certificate authorities to trust for v2. */
  readonly v2Ca?: string | undefined;
  /** Which fields tell v2 where a call came from. What clients say of it themselves never goes on. */
  readonly forwarded: 'none' | 'x-forwarded-for' | 'x-forwarded' | 'forwarded';
  /** Addresses, and networks in CIDR notation, of proxies before this one: what they say in X-Forwarded-For, -Host and -Proto counts. */
  readonly trustedProxies: readonly string[];
  /** The field in which they name the client; of `either`, Forwarded (RFC 7239) counts where a call has no X-Forwarded-For. */
  readonly trustedField: 'either' | 'x-forwarded-for' | 'forwarded';
  /** Connections to v2 at most, and calls that may wait for one. */
  readonly connections: number;
  readonly queue: number;
  /** Largest request body that is read into memory. */
  readonly maxBody: number;
  readonly connectTimeout: number;
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
  /** How long an idle connection to v2 is kept; shorter than the server's own. */
  readonly keepAlive: number;
  /** `/readyz` says no once every call to v2 has failed for this long. */
  readonly unreadyAfter: number;
  readonly now: () => number;
  /** What wakes calls that wait for a place in the hour; the machine's timers where absent. */
  readonly timers?: Timers | undefined;
}

export type QueryRenames = Partial<Record<V1EndpointId, Readonly<Record<string, string>>>>;

/** What the standalone proxy needs besides. */
export interface ProxyServerOptions extends ProxyOptions {
  readonly listen: Address;
  readonly admin: Address;
  /** Without it, whoever reaches the admin listener sees what it has. */
  readonly adminToken?: string | undefined;
  /** Further pages of the admin listener. */
  readonly pages?: AdminPages | undefined;
  /** PEM files of the listener's certificate chain and key; both or none. Re-read when they change. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Connections of clients at most; without it, what the open files of the process leave, and 10,000 at most. */
  readonly maxConnections?: number | undefined;
  /** The same from one address, or one /64 of IPv6; without it, half of all. */
  readonly maxConnectionsPerAddress?: number | undefined;
  /** How long a client may take to send the head, and the whole request. */
  readonly headTimeout: number;
  readonly requestTimeout: number;
  /** How long calls in flight may take once the proxy drains. */
  readonly drainTimeout: number;
  /** How long `/readyz` says no before the listener closes, for load balancers to notice. */
  readonly drainDelay: number;
}

/**
 * Pages that others serve on the admin listener: report knows how, and the proxy does not know report. False for a path that is none of them.
 * @param road what this proxy knows of its roll-out; undefined where there is none
 */
export type AdminPages = (req: IncomingMessage, res: ServerResponse, road: (() => LiveRoad) | undefined) => boolean;

export interface Address {
  readonly host: string;
  readonly port: number;
}
