import { Test } from '@nestjs/testing';
import { MessagingService } from '../messaging/messaging.service';
import { ContactsService } from './contacts.service';

describe('ContactsService', () => {
  it('lists contacts', async () => {
    const get = jest.fn().mockResolvedValue([{ id: 'c1' }]);
    const module = await Test.createTestingModule({
      providers: [ContactsService, { provide: MessagingService, useValue: { get } }],
    }).compile();

    expect(await module.get(ContactsService).list()).toEqual([{ id: 'c1' }]);
    expect(get).toHaveBeenCalledTimes(1);
  });
});
