/** What a request can be found to be. */
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import { flat } from '../evaluate/values/text.ts';
import type { Part } from '../evaluate/values/values.ts';

/** A stretch of a request's URL, in offsets of `flat(url)`. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export type Verdict =
  | {
      readonly kind: 'ours';
      /** undefined where it stands for many requests. */
      readonly endpoint: V1EndpointId | undefined;
      /** Where `v1` stands; undefined where the environment's value holds it. */
      readonly version: Range | undefined;
      /** Where the base stands; undefined where it comes from the environment. */
      readonly base: Range | undefined;
      readonly configured: string;
      /** Whether its path ends in a slash, which the reference shows of no endpoint. */
      readonly endsInSlash?: true;
    }
  /** Is with v2 already; where its address says so, `v2` stands there. */
  | { readonly kind: 'v2'; readonly version?: Range }
  /**
   * `hasLogin`: the host is ours, but the URL holds a user name and password, which clients send as `Authorization: Basic`; `isMadeUp`: it is the
   * machine itself, or a test has made its name up; `ownRoute`: where the program itself serves its path, which a test may ask there; `beside`: the path, where
   * the host is that of a base of ours which has another.
   */
  | {
      readonly kind: 'foreign';
      readonly host: string;
      readonly hasLogin?: boolean;
      readonly isMadeUp: boolean;
      readonly ownRoute?: string;
      readonly beside?: string;
    }
  /** Ours, but not one of v1's endpoints, or one that cannot be read. */
  | { readonly kind: 'unknown-route'; readonly route: string }
  /** `version`: the variable that holds the version, where nothing else of the path is open. */
  | { readonly kind: 'dynamic-path'; readonly version?: string | undefined }
  /** Ours, for requests below it that name the version themselves; `isSameForV2` where v2 is asked at the same address. */
  | { readonly kind: 'passes-on'; readonly isSameForV2: boolean }
  /** Its base proves nothing; `route` is set where its path is one of v1's, `slashless` to our host where that stands behind its scheme at once. */
  | {
      readonly kind: 'unproven';
      readonly route: V1EndpointId | undefined;
      readonly env: string | undefined;
      readonly slashless?: string;
    };

/** What is told of a base that proves nothing. */
export const aboutBase = ({ env, slashless }: Extract<Verdict, { kind: 'unproven' }>): Readonly<Record<string, string>> => ({
  ...(env === undefined ? {} : { env }),
  ...(slashless === undefined ? {} : { how: 'slashes', host: slashless }),
});

/** Where the version stands in a text that is nothing else: `v1`, `/v1/`. */
export function versionAlone(url: readonly Part[]): Range | undefined {
  const [, slash] = /^(\/?)v1\/?$/.exec(flat(url)) ?? [];
  return slash === undefined ? undefined : { start: slash.length, end: slash.length + 2 };
}
