export { courseTutor } from './course-tutor/course-tutor.ts'
export { curriculumJob } from './curriculum-job/curriculum-job.ts'
export { nightlyAnalytics, staleArcSweep } from './housekeeping/housekeeping.ts'
export { learningArc } from './learning-arc/learning-arc.ts'
