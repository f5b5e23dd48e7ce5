import { describe, expect, it } from 'vitest';
import { readV2Error } from '../../proxy/errors/read.ts';

describe('reading a v2 error', () => {
  it.each<[string, string, string, string | undefined, string | undefined]>([
    ['flat', 'application/json', '{"success":false,"error":"No","code":"API_X"}', 'No', 'API_X'],
    ['nested', 'application/json', '{"error":{"code":"API_X","message":"No"}}', 'No', 'API_X'],
    ['problem+json', 'application/problem+json', '{"title":"Bad","detail":"No","status":400,"code":"API_X"}', 'No', 'API_X'],
    ['message', 'application/json', '{"message":"No"}', 'No', undefined],
    ['a code as the error', 'application/json', '{"error":"API_X","message":"No"}', 'No', 'API_X'],
    ['a list of objects', 'application/json', '{"errors":[{"message":"No","code":"API_X"}]}', 'No', 'API_X'],
    ['a list of strings', 'application/json', '{"errors":["No"]}', 'No', undefined],
    ['plain text', 'text/plain; charset=utf-8', 'No\r\n', 'No', undefined],
    ['JSON without a JSON type', 'text/plain', '{"error":"No"}', 'No', undefined],
    ['control characters', 'application/json', '{"error":"N\\u0000o\\nway"}', 'N o way', undefined],
    ['HTML', 'text/html', '<h1>No</h1>', undefined, undefined],
    ['HTML called text', 'text/plain', '<!doctype html>', undefined, undefined],
    ['broken JSON', 'application/json', '{"error":', undefined, undefined],
    ['empty', 'application/json', '', undefined, undefined],
    ['a number', 'application/json', '42', undefined, undefined],
    ['null', 'application/json', 'null', undefined, undefined],
    ['a message too long to be one', 'application/json', JSON.stringify({ error: 'x'.repeat(301) }), undefined, undefined],
    ['inherited names', 'application/json', '{"__proto__":{"error":"No"}}', undefined, undefined],
    ['nesting without end', 'application/json', '['.repeat(200_000), undefined, undefined],
  ])('understands %s', (_name, contentType, text, message, code) => {
    const error = readV2Error(text, contentType);
    expect(error.message).toBe(message);
    expect(error.code).toBe(code);
  });
});
