import { HttpClientTestingModule, HttpTestingController } from '@angular/common/http/testing';
import { TestBed } from '@angular/core/testing';
import { environment } from '../../environments/environment';
import { ContactsService } from './contacts.service';

describe('ContactsService', () => {
  let service: ContactsService;
  let httpMock: HttpTestingController;

  beforeEach(() => {
    TestBed.configureTestingModule({ imports: [HttpClientTestingModule], providers: [ContactsService] });
    service = TestBed.inject(ContactsService);
    httpMock = TestBed.inject(HttpTestingController);
  });

  afterEach(() => {
    httpMock.verify();
  });

  it('lists a page', () => {
    service.list(2).subscribe((page) => expect(page.total).toBe(1));
    const req = httpMock.expectOne('https://api.example.com/v1/contacts?page=2&limit=25');
    expect(req.request.method).toBe('GET');
    req.flush({ data: [], page: 2, total: 1 });
  });

  it('gets one by its id', () => {
    service.get('c1').subscribe();
    httpMock.expectOne(`${environment.messaging.apiUrl}/contacts/c1`).flush({ id: 'c1' });
  });

  it('creates', () => {
    service.create({ name: 'Ada', phone: '+15550100001' }).subscribe();
    const req = httpMock.expectOne({ method: 'POST', url: 'https://api.example.com/v1/contacts' });
    req.flush({ id: 'c1' });
  });

  it('updates', () => {
    service.update({ id: 'c1', name: 'Ada', phone: '+15550100001' }).subscribe();
    const req = httpMock.expectOne((request) => request.method === 'PUT' && request.url.endsWith('/v1/contacts/c1'));
    req.flush({ id: 'c1' });
    httpMock.expectNone('https://api.example.com/v1/contacts');
  });
});
