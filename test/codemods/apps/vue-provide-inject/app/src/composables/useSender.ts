import { ref } from 'vue';
import { useApi } from '../plugins/api';

export function useSender() {
  const api = useApi();
  const isSending = ref(false);

  async function send(to: string, content: string): Promise<string> {
    isSending.value = true;
    try {
      const { messageId } = await api.post('/v1/messages/send', { channel: 'WHATSAPP', to, content });
      return messageId;
    } finally {
      isSending.value = false;
    }
  }

  return { isSending, send };
}
