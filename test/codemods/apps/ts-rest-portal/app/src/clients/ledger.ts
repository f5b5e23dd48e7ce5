import { initClient } from '@ts-rest/core';
import { ledgerContract } from '../contracts/ledger';

export const ledger = initClient(ledgerContract, {
  baseUrl: 'https://ledger.example.net',
  baseHeaders: { 'x-api-key': () => process.env.LEDGER_KEY ?? '' },
});
