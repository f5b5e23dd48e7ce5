import { Inject, Injectable } from '@nestjs/common';
import type { AxiosInstance } from 'axios';
import { MESSAGING_HTTP } from './messaging.constants';

@Injectable()
export class MessagingService {
  constructor(@Inject(MESSAGING_HTTP) private readonly http: AxiosInstance) {}

  async send(to: string, content: string): Promise<string> {
    const { data } = await this.http.post<{ messageId: string }>('/v1/messages/send', { channel: 'SMS', to, content });
    return data.messageId;
  }

  async get<T>(path: string): Promise<T> {
    const { data } = await this.http.get<T>(path);
    return data;
  }
}
