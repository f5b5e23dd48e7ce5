/** Counts calls at our vendor for metrics, which has a key of its own. */
export function createTelemetry(writeKey: string) {
  return async (name: string, detail: Record<string, unknown>): Promise<void> => {
    await fetch('https://ingest.metrics.example.net/v1/messages', {
      method: 'POST',
      headers: { 'x-api-key': writeKey, 'content-type': 'application/json' },
      body: JSON.stringify({ name, ...detail }),
    });
  };
}
