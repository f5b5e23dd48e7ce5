/**
 * What a reader finds in a file that is no script. It gives no verdict on a request: that is asked on the road that scripts take,
 * and what is peculiar to a format comes along as data (docs/architecture/formats.md).
 */
import type { SourceText } from '../evaluate/values/source-text.ts';
import type { Entry, Part } from '../evaluate/values/values.ts';
import type { Span } from '../model.ts';
import type { Request } from '../requests/requests.ts';
import type { ApiDescription } from './data/api-description.ts';
import type { Scalar } from './data/tree.ts';
import type { TextRange } from './text.ts';

/** What a reader is given: a file, or a block of a document whose surroundings are blank. */
export interface Stretch {
  /** The file that it is in. */
  readonly source: SourceText;
  /** Its offset in the file. */
  readonly start: number;
  /** As long as what stands in the file there. */
  readonly text: string;
}

export interface WrittenRequest {
  /** One for each value of a variable that is set several times. */
  readonly requests: readonly Request[];
  /** Whether it may do without a key here: descriptors whose key is added by the code that reads them. Its URL may be a base. */
  readonly isKeyless: boolean;
  /** Where the name of the header is kept for code that sends it, which would go on to do so. */
  readonly mentions: readonly TextRange[];
  /** Whether the URL stands there a second time, and says something else. */
  readonly isContradicted: boolean;
  /** Whether it stays: what a test expects or was recorded sends nothing itself, and what is v1's of two versions is asked beside v2's. */
  readonly isLeft: boolean;
}

/** A container, or a command, that is given variables. */
export interface Program {
  /** Its image without a version, or its command. */
  readonly name: string;
  /** Whether it runs code of these files; undefined where the name of the image has to tell. */
  readonly isOwn: boolean | undefined;
  /** Scripts that it runs: it is somebody else's where one of them is none of these files. */
  readonly scripts?: readonly ForeignScript[] | undefined;
  /** Set where the file starts nothing else. */
  readonly isAlone?: true;
  /** Whether another is built of these files beside it: an image that nothing tells of is another's then. */
  readonly isBuiltBeside?: boolean;
}

/** A script, or a module, that may be none of these files, with where it is run. */
export interface ForeignScript extends TextRange {
  /** Paths that it may have, as the command has them. */
  readonly paths: readonly string[];
  /** Whether the paths begin where the file stands: folders that an image is built of. */
  readonly isBeside?: true;
}

/** A value without a request around it: a base, or the address of an endpoint. */
export interface Setting {
  /** Of the variable that it sets, if it is one. */
  readonly name: string | undefined;
  readonly requests: readonly Request[];
  /** The images, or folders to build one of, of the container that it is set for, where these are known. */
  readonly programs?: readonly string[] | undefined;
  /** What it is set for, where that is known. */
  readonly program?: Program | undefined;
  /** Whether that is a program which somebody else made: what it does with an address of ours is not known, so it keeps what it has. */
  readonly isOfOthers?: boolean | undefined;
  /** Where commands of scripts that source the file are given it as a header. */
  readonly sentAt?: readonly Span[] | undefined;
  /** Set where all that reads it are requests of the file: what it takes from a variable is followed to these. */
  readonly isFollowed?: true;
  /** The request whose URL it is: no setting where that is ours, or may be. */
  readonly of?: WrittenRequest | undefined;
}

/** A variable that is passed to a program which is not read. */
export interface PassedOn extends TextRange {
  readonly name: string;
  /** What it holds. */
  readonly parts: readonly Part[];
  /** What it is passed on in: nothing is lost where that is ours. */
  readonly within?: Setting | undefined;
  /** Whether the program is given it as what it is: `heroku config:set NAME=$NAME`. Whatever of these files reads it there moves along. */
  readonly isUnderItsName?: true;
  /** Scripts that have it: it is passed on by the first that is none of these files, and by none else. */
  readonly scripts?: readonly ForeignScript[] | undefined;
  /** The image of the program, where nothing tells whose it is. */
  readonly image?: string | undefined;
}

export interface Reading {
  readonly requests: readonly WrittenRequest[];
  readonly settings: readonly Setting[];
  readonly passedOn: readonly PassedOn[];
  /** Headers with a key that stand by themselves, and may be sent with any request of the file that has none. */
  readonly looseKeys: readonly Entry[];
  /** Stretches that the engines read, such as scripts. */
  readonly elsewhere: readonly TextRange[];
  /** Stretches where words mean nothing to a program. */
  readonly prose: readonly TextRange[];
  /** Code that nobody reads, and that may ask for what it names. */
  readonly unread?: readonly TextRange[] | undefined;
  /** What a document of OpenAPI tells of a service. */
  readonly descriptions?: readonly ApiDescription[] | undefined;
  /** What settings are by default that an extension offers to people. */
  readonly contributed?: readonly Scalar[] | undefined;
  /** Why nothing was read of a whole file of data. */
  readonly fault?: ParseFault | undefined;
}

/** Where a text stops being of its format. */
export interface ParseFault {
  readonly at: number;
  readonly reason: string;
}

export const emptyReading: Reading = { requests: [], settings: [], passedOn: [], looseKeys: [], elsewhere: [], prose: [] };

/** Several readings of one file as one. */
export function merge(readings: readonly Partial<Reading>[]): Reading {
  return {
    requests: readings.flatMap(({ requests = [] }) => requests),
    settings: readings.flatMap(({ settings = [] }) => settings),
    passedOn: readings.flatMap(({ passedOn = [] }) => passedOn),
    looseKeys: readings.flatMap(({ looseKeys = [] }) => looseKeys),
    elsewhere: readings.flatMap(({ elsewhere = [] }) => elsewhere),
    prose: readings.flatMap(({ prose = [] }) => prose),
    unread: readings.flatMap(({ unread = [] }) => unread),
    descriptions: readings.flatMap(({ descriptions = [] }) => descriptions),
    contributed: readings.flatMap(({ contributed = [] }) => contributed),
  };
}
