import logging, time
from tests.test_matrix import *
del test_every_request_is_answered_as_the_lists_say
@pytest.mark.parametrize("space", ["api", "games"])
@pytest.mark.parametrize("mode", ["table", "digital"])
def test_see(mode, space):
    t=time.process_time(); w=World(mode); t1=time.process_time()
    found=list(walk(w, space)); t2=time.process_time()
    with open(f"/tmp/data-matrix/out-{mode}-{space}","w") as f:
        print(t1-t, t2-t1, len(found), file=f)
        print(*found, sep="\n", file=f)
