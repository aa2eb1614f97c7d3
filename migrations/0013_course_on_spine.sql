-- The course tutor on the spine: where a student stands in a course is an entity, what a student asks for an input.

-- Names the entity of a student's course, and holds what screens read of it.
alter table course_snapshots add column id uuid not null default gen_random_uuid() unique;
alter table course_snapshots alter column id drop default;

insert into entities (id, product, workflow_id, learner_id, course_id, generation, state, wake_at, created_at, updated_at)
select id, 'course', 'course-' || course_id || '-' || learner_id, learner_id, course_id, generation,
  jsonb_build_object('snapshot', snapshot, 'blocker', blocker, 'locks', locks, 'done', generation, 'work', null,
    'told', coalesce((
      -- Exam answers that the authority may have heard, unless something else was done about the question since.
      select jsonb_object_agg(request.id, request.payload ->> 'questionId')
      from course_requests as request
      where request.learner_id = course.learner_id and request.course_id = course.course_id
        and request.kind = 'exam_answer' and request.prepared is not null and request.done_at is null
        and not exists (
          select from course_evidence as evidence
          where evidence.learner_id = course.learner_id and evidence.course_id = course.course_id
            and evidence.at >= to_timestamp((request.prepared ->> 'toldAt')::float8 / 1000)
            and evidence.data ->> 'questionId' = request.payload ->> 'questionId')), '{}')),
  (select min((lock.value ->> 'lockedUntil')::timestamptz) from jsonb_each(locks) as lock
    where not (lock.value ->> 'calledBack')::boolean),
  started_at, updated_at
from course_snapshots as course;

alter table course_snapshots add foreign key (id) references entities (id) on delete cascade;
alter table course_snapshots drop column generation;

-- `answer` is what the caller is told: {status, body}; `told`: the exam authority may have heard of it.
insert into inbox (entity_id, id, type, payload, received_at, taken_at, answered_at, answer, withdrawn_at)
select course.id, request.id, request.kind,
  request.payload || jsonb_build_object('threadId', request.thread_id), request.created_at,
  request.done_at, request.done_at,
  case
    when request.done_at is not null then jsonb_build_object('status', request.status, 'body', request.result)
    when request.kind = 'exam_answer' and request.prepared is not null then '{"told": true}'
  end,
  request.withdrawn_at
from course_requests as request join course_snapshots as course using (learner_id, course_id)
order by request.created_at;

drop table course_requests;
