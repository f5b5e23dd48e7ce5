/** The clients that are known. To add one: a file beside this one, a line here, fixtures in test/codemods/fixtures/clients. */
import { axiosRule } from './axios.ts';
import { fetchRule } from './fetch.ts';
import type { ClientRule } from './rule.ts';

export const clientRules: readonly ClientRule[] = [fetchRule, axiosRule];
