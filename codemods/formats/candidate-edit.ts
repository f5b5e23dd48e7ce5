/** What one place of a file would change, and what it is when it may not. Data only: `request.ts` and `setting.ts` make it. */
import { v1Auth, v2Auth } from '../../src/contract/auth.ts';
import type { V1EndpointId } from '../../src/contract/endpoints.ts';
import type { Edit, FindingCode, Step } from '../model.ts';
import type { Place, Text } from './text.ts';

export type SpanEdit = Omit<Edit, 'file' | 'group'>;
export type SpanStep = Omit<Step, 'file'>;

export interface Problem {
  readonly code: FindingCode;
  readonly at: Place;
  readonly detail: Readonly<Record<string, string>>;
}

export interface Draft extends Place {
  readonly edits: readonly SpanEdit[];
  /** Other places that mean something else once they are changed: variables and shared headers that are read here. */
  readonly reads: readonly Place[];
  /** The literals it accounts for. */
  readonly literals: readonly Place[];
  /** Why it may not be made. */
  readonly problem?: Problem;
  /** `bystander`: no harm in itself, but what it reads may not be changed for others. */
  readonly stance: 'ours' | 'foreign' | 'bystander';
  /** The variable that holds its base and is set in another file. */
  readonly variable?: string | undefined;
  /** The variable that it sets for others to read. */
  readonly sets?: string | undefined;
  readonly call?: { readonly endpoint: V1EndpointId; readonly client: string; readonly proof: readonly SpanStep[] };
}

/** A header as it is written. */
export interface Header {
  readonly name: Text;
  /** undefined where it is not a text: an alias with a tag, a list, null. */
  readonly value: Text | undefined;
}

/** `Authorization`, as a field's name is written. */
export const authorization = 'Authorization';
export const isKeyField = (name: string): boolean => name.trim().toLowerCase() === v1Auth.field;
export const isAuthorization = (name: string): boolean => name.trim().toLowerCase() === v2Auth.field;
