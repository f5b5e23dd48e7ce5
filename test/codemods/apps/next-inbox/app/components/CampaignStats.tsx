'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSendCampaign } from '../hooks/useSendCampaign';
import { API_ROOT, fetcher } from '../lib/api';

export function CampaignStats({ id, initial }: { id: string; initial: { name: string; sent: number } }) {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: ['campaign', id],
    queryFn: () => fetcher(`/v1/campaigns/${id}`),
    initialData: initial,
  });
  const { data: messages } = useQuery({
    queryKey: ['/v1/messages'],
    queryFn: ({ queryKey: [path] }) => fetcher(path),
  });
  const { data: contacts } = useQuery({
    queryKey: ['contacts'],
    queryFn: async ({ signal }) => {
      const res = await fetch(`${API_ROOT}/v1/contacts?limit=1`, {
        signal,
        headers: { 'x-api-key': process.env.NEXT_PUBLIC_MESSAGING_KEY ?? '' },
      });
      return res.json();
    },
  });
  const send = useSendCampaign(() => queryClient.invalidateQueries({ queryKey: ['campaign', id] }));

  return (
    <section>
      <h1>{data.name}</h1>
      <p>
        {data.sent} of {contacts?.total}, {messages?.total} in all
      </p>
      <button onClick={() => send.mutate(id)}>Send</button>
    </section>
  );
}
