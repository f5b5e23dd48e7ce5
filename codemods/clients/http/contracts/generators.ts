/** What reads a description of an API, as OpenAPI has them: what generates clients of it, by how commands, dependencies and configurations name it … */
export const generators =
  /\b(?:openapi-generator|swagger-codegen|openapi-typescript-codegen|openapi-codegen|swagger-typescript-api|openapi-zod-client|openapi-client-axios|swagger-client|rtk-query-codegen|orval|kubb|hey-?api|oazapfts|nswag|autorest|kiota|speakeasy)\b/i;

/** … what makes types of it alone, or shows and checks it … */
export const readersAlone = /\b(?:openapi-typescript(?!-codegen)|redocly|redoc|spectral|swagger-cli|swagger-ui|prism)\b/;

/** … and what generated code says of itself. */
export const generatedOf = /\bgenerated (?:by|with|from)\b[^\n]{0,80}\b(?:openapi|swagger|orval|kubb|hey-?api)/i;
