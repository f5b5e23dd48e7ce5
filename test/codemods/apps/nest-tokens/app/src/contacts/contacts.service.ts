import { Injectable } from '@nestjs/common';
import { MessagingService } from '../messaging/messaging.service';

@Injectable()
export class ContactsService {
  constructor(private readonly messaging: MessagingService) {}

  list() {
    return this.messaging.get<unknown[]>('/v1/contacts');
  }

  one(id: string) {
    return this.messaging.get(`/v1/contacts/${id}`);
  }
}
