/** What a format's reader finds in a file. */
import type { Draft } from './candidate-edit.ts';
import type { Place } from './text.ts';

/** A variable that is set to an address. */
export interface Env extends Place {
  readonly name: string;
  /** Our base as the program gets it; undefined where it is another host's. */
  readonly base: { readonly holdsVersion: boolean; readonly value: string } | undefined;
  readonly host: string | undefined;
}

export interface Reading {
  readonly drafts: readonly Draft[];
  readonly envs: readonly Env[];
  /** Stretches that another part of the kit looks at, such as scripts. */
  readonly elsewhere?: readonly Place[];
  /** Stretches where words mean nothing to a program. */
  readonly prose?: readonly Place[];
}

export const emptyReading: Reading = { drafts: [], envs: [] };

/** Several readings of one file as one. */
export function merge(readings: readonly Reading[]): Reading {
  return {
    drafts: readings.flatMap(({ drafts }) => drafts),
    envs: readings.flatMap(({ envs }) => envs),
    elsewhere: readings.flatMap(({ elsewhere = [] }) => elsewhere),
    prose: readings.flatMap(({ prose = [] }) => prose),
  };
}
