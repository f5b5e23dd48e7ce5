/** Our own public API, version 1: partners track their parcels with it. */
export default defineEventHandler(async (event) => {
  const { parcelApiKey } = useRuntimeConfig(event);
  return await $fetch('https://api.parcel-tracker.net/v1/shipments', {
    headers: { 'x-api-key': parcelApiKey },
    query: getQuery(event),
  });
});
