import { useState } from 'react';
import { useApi } from '../api/context';
import { useSend } from '../api/queries';

export function Campaign({ id }: { id: string }) {
  const api = useApi();
  const send = useSend();
  const [isSent, setSent] = useState(false);
  const start = async () => {
    await api.request(`/v1/campaigns/${id}/send`, { method: 'POST' });
    setSent(true);
  };
  return (
    <section>
      <button onClick={start} disabled={isSent}>
        Start
      </button>
      <button onClick={() => send('+15550100001', 'Test')}>Test</button>
    </section>
  );
}
