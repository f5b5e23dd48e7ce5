import type { Messaging } from '$lib/server/messaging';

declare global {
  namespace App {
    interface Locals {
      messaging: Messaging;
    }
  }
}

export {};
