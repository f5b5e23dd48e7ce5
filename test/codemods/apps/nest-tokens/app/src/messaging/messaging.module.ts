import { type DynamicModule, Module } from '@nestjs/common';
import axios from 'axios';
import { MESSAGING_HTTP, MESSAGING_OPTIONS } from './messaging.constants';
import { MessagingService } from './messaging.service';

export interface MessagingOptions {
  apiKey: string;
  baseUrl?: string;
}

@Module({})
export class MessagingModule {
  static forRoot(options: MessagingOptions): DynamicModule {
    return {
      module: MessagingModule,
      global: true,
      providers: [
        { provide: MESSAGING_OPTIONS, useValue: options },
        {
          provide: MESSAGING_HTTP,
          inject: [MESSAGING_OPTIONS],
          useFactory: ({ baseUrl = 'https://api.example.com', apiKey }: MessagingOptions) =>
            axios.create({ baseURL: baseUrl, headers: { 'x-api-key': apiKey } }),
        },
        MessagingService,
      ],
      exports: [MessagingService, MESSAGING_HTTP],
    };
  }
}
