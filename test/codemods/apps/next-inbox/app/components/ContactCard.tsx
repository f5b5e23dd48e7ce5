'use client';

import useSWR, { useSWRConfig } from 'swr';

/** With the fetcher of the page. */
export function ContactCard({ id }: { id?: string }) {
  const { data: contact } = useSWR(id ? `/v1/contacts/${id}` : null);
  const { mutate } = useSWRConfig();
  return (
    <section>
      <h2>{contact?.name}</h2>
      <button onClick={() => mutate(`/v1/contacts/${id}`)}>Reload</button>
    </section>
  );
}
