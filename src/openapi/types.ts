/** OpenAPI 3.1 as far as the documents use it, and what a document is made for. */
import type { Assumptions } from '../contract/assumptions.ts';
import type { ErrorDialect, SuccessEnvelope } from '../contract/dialects.ts';

export type Api = 'v1' | 'v2';

/** The answers to open questions, and how v2 writes what is not shown. */
export interface Reading {
  readonly assumptions: Assumptions;
  readonly dialect: ErrorDialect;
  readonly envelope: SuccessEnvelope;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** A JSON Schema (draft 2020-12, the default of OpenAPI 3.1). */
export interface Schema {
  readonly [keyword: string]: Json;
}

/** What api.md does not show says so: the name of the open question that decides it, or a sentence. */
export interface Marked {
  readonly 'x-assumption'?: string;
}

/** Of some of its keywords alone, by their names. */
export interface MarkedInPart {
  readonly 'x-assumption'?: string | Readonly<Record<string, string>>;
}

export interface Parameter extends Marked {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface Header extends MarkedInPart {
  readonly description: string;
  readonly required: boolean;
  readonly schema: Schema;
}

/** Stands for a component. */
export interface Reference {
  readonly $ref: string;
}

export interface MediaType extends Marked {
  readonly schema: Schema;
}

export interface RequestBody extends Marked {
  readonly required: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

export interface Response extends Marked {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly deprecated?: true;
  readonly security?: readonly [];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
}

export type PathItem = Partial<Record<'get' | 'post' | 'put' | 'delete', Operation>>;

interface Noted extends Marked {
  readonly description: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly externalDocs?: Marked & { readonly description: string; readonly url: string };
  readonly servers: readonly [{ readonly url: string; readonly variables: Readonly<Record<string, Readonly<Record<string, string>>>> }];
  readonly tags: readonly { readonly name: string }[];
  readonly security: readonly Readonly<Record<string, readonly []>>[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks?: Readonly<Record<string, PathItem>>;
  /** What is answered where no operation is listed. */
  readonly 'x-unlisted': {
    /** To every path that is not listed. */
    readonly responses: Readonly<Record<string, Response>>;
    /** Other methods of the paths that are listed. */
    readonly methods: Noted;
    /** HEAD, where it is answered like GET. */
    readonly head?: Noted;
  };
  readonly components: {
    readonly securitySchemes: Readonly<Record<string, Readonly<Record<string, string>>>>;
    readonly headers?: Readonly<Record<string, Header>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}
